import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../client/ServiceError';
import { describeFailure } from '../client/describeFailure';
import { isDomestic } from '../validation/recipient';

const skippedWords: Record<string, string> = {
	duplicate: 'Duplicates',
	optedOut: 'On Do Not Send To',
	alreadySent: 'Already sent',
};

/** Removes floating-point errors. */
function toAmount(value: number): number {
	return Number(value.toFixed(6));
}

/** As the service returned it. */
interface BalanceResponse {
	balance: unknown;
	currency?: unknown;
}

/** Totals of a dry run. */
export class DryRunTotals {
	private readonly counts = { all: 0, sent: 0, rejected: 0, parts: 0, abroad: 0 };
	private readonly skipped = new Map<string, number>();

	/** @param row the output for one recipient */
	add({ to, wouldSend, skipped, parts }: IDataObject): void {
		this.counts.all += 1;
		if (wouldSend === true) {
			this.counts.sent += 1;
			this.counts.parts += Number(parts);
			if (!isDomestic(String(to))) this.counts.abroad += 1;
		} else if (typeof skipped === 'string') {
			this.skipped.set(skipped, (this.skipped.get(skipped) ?? 0) + 1);
		} else {
			this.counts.rejected += 1;
		}
	}

	describe(): string {
		const { all, sent, rejected, parts } = this.counts;
		const skipped = Object.entries(skippedWords).map(
			([reason, words]) => `${words}: ${this.skipped.get(reason) ?? 0}.`,
		);
		const counts = [`Recipients: ${all}.`, `To send: ${sent} (parts: ${parts}).`];
		return ['Dry run: nothing was sent.', ...counts, `Rejected: ${rejected}.`, ...skipped].join(
			' ',
		);
	}

	/** The cost of the run, compared with the balance. */
	async describeCost(
		pricePerPart: number,
		getBalance: () => Promise<BalanceResponse>,
	): Promise<string> {
		const cost = toAmount(this.counts.parts * pricePerPart);
		const { abroad } = this.counts;
		const note = abroad > 0 ? ` Prices in other countries differ (recipients: ${abroad}).` : '';
		const told = await getBalance().then(
			(response) => compare(cost, pricePerPart, response),
			(error: unknown) => leaveOpen(cost, pricePerPart, toWords(error)),
		);
		return told + note;
	}
}

function toWords(error: unknown): string {
	return error instanceof ServiceError ? describeFailure(error).message : (error as Error).message;
}

function leaveOpen(cost: number, pricePerPart: number, why: string): string {
	return `Cost at ${pricePerPart} per part: ${cost}. The balance could not be compared: ${why}.`;
}

function compare(cost: number, pricePerPart: number, response: BalanceResponse): string {
	const balance = Number(response.balance);
	if (!Number.isFinite(balance)) {
		return leaveOpen(cost, pricePerPart, 'the service returned none');
	}
	const unit = typeof response.currency === 'string' ? ` ${response.currency}` : '';
	const costs = `Cost at ${pricePerPart}${unit} per part: ${cost}${unit}`;
	if (balance >= cost) return `${costs}. Your balance of ${balance}${unit} is sufficient.`;
	const missing = toAmount(cost - balance);
	return `${costs}. Your balance of ${balance}${unit} is not sufficient: ${missing}${unit} are missing.`;
}
