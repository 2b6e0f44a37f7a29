import type { IExecuteFunctions } from 'n8n-workflow';

import { Expiring } from './Expiring';
import { hourMs } from '../input/time';
import { readRun } from './tool';

/** All that our nodes store in n8n's memory of a node. */
type Key =
	| 'checks' // codes that were checked, by run and item
	| 'execution' // digest of the ID of the first execution
	| 'ledger' // messages, by run
	| 'requests' // codes that were requested, by run and item
	| 'wait'; // the message or question that the execution waits for

/**
 * n8n keeps it across Retry On Fail, waiting and the retry of a failed execution, and saves it with the execution, so it
 * must not hold secrets.
 */
export function memoryOf<M extends Partial<Record<Key, unknown>>>(context: IExecuteFunctions): M {
	return context.getContext('node') as M;
}

/** As a string in an expression, with escaped braces, which would otherwise end the expression. */
export function quote(name: string): string {
	return JSON.stringify(name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
}

type Book<T> = Record<string, Record<string, T>>;

/** What a node remembers about the items of a run. */
export class RunMemory<T> {
	private constructor(
		private readonly book: Book<T>,
		private readonly run: string,
	) {}

	/** @param name distinguishes the memories of one node */
	static open<T>(context: IExecuteFunctions, name: Key): RunMemory<T> {
		const memory = memoryOf<Partial<Record<Key, Book<T>>>>(context);
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

/** The sealed request IDs of codes that this process verified. OTP Verify adds to them, the limits of OTP Request read them. */
const verified = new Expiring<true>(hourMs, 500_000);

export function rememberVerified(request: string): void {
	verified.set(request, true);
}

export function isVerified(request: string | undefined): boolean {
	return request !== undefined && verified.get(request) === true;
}
