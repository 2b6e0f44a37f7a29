import type { IExecuteFunctions } from 'n8n-workflow';

import { readRun } from './agentTool';

type Book<T> = Record<string, Record<string, T>>;

/**
 * What a node remembers about the items of a run. n8n keeps the node's context across Retry On Fail, waiting and the
 * retry of a failed execution, and saves it with the execution, so it must not hold secrets.
 */
export class RunMemory<T> {
	private constructor(
		private readonly book: Book<T>,
		private readonly run: string,
	) {}

	/** @param name distinguishes the memories of one node */
	static open<T>(context: IExecuteFunctions, name: string): RunMemory<T> {
		const memory = context.getContext('node') as Record<string, Book<T> | undefined>;
		return new RunMemory((memory[name] ??= {}), readRun(context));
	}

	find(item: number): T | undefined {
		return this.book[this.run]?.[item];
	}

	keep(item: number, entry: T): void {
		(this.book[this.run] ??= {})[item] = entry;
	}

	forget(item: number): void {
		delete this.book[this.run]?.[item];
	}

	/** Called when n8n will not run the node again. */
	forgetRun(): void {
		delete this.book[this.run];
	}
}
