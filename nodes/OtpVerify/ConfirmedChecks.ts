import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { OtpCheck } from '../shared/client/types';
import { readRun } from '../shared/toolCall';

export type ConfirmedCheck = Extract<OtpCheck, { verified: true }>;

interface Confirmed {
	/** Of requestId and code; kept only once the code is used up. */
	digest: string;
	check: ConfirmedCheck;
}

type Book = Record<string, Record<string, Confirmed>>;

function digestOf(requestId: string, code: string): string {
	return createHash('sha256')
		.update(JSON.stringify([requestId, code]))
		.digest('hex');
}

/**
 * The codes that the service confirmed in an earlier try of this node. A code verifies once, so without this memory
 * Retry On Fail would turn a person away because of another item that failed. It lies in the node's context, which
 * n8n keeps over tries. Codes that were not confirmed are never in it.
 */
export class ConfirmedChecks {
	private constructor(
		private readonly book: Book,
		private readonly run: string,
	) {}

	static open(context: IExecuteFunctions): ConfirmedChecks {
		const memory: { confirmed?: Book } = context.getContext('node');
		return new ConfirmedChecks((memory.confirmed ??= {}), readRun(context));
	}

	find(item: number, requestId: string, code: string): ConfirmedCheck | undefined {
		const confirmed = this.book[this.run]?.[item];
		return confirmed?.digest === digestOf(requestId, code) ? confirmed.check : undefined;
	}

	keep(item: number, requestId: string, code: string, check: ConfirmedCheck): void {
		const ofRun = (this.book[this.run] ??= {});
		ofRun[item] = { digest: digestOf(requestId, code), check };
	}

	/** Called when n8n will not run the node again. */
	forgetRun(): void {
		delete this.book[this.run];
	}
}
