import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../client/ServiceError';
import { describeFailure } from '../client/describeFailure';
import { isDomestic } from '../validation/recipient';

/** Removes floating-point errors. */
function toAmount(value: number): number {
	return Number(value.toFixed(6));
}

/** As the service returned it. */
interface BalanceResponse {
	balance: unknown;
	currency?: unknown;
}

/** The safeguards whose absence the totals mention. */
export interface TotalsValues {
	skipDuplicates: boolean;
	doNotSendTo: ReadonlySet<string>;
}

/** A count, and how many of them would be sent because a safeguard is off. */
function describeCount(words: string, all: number, open: number, safeguard: string): string {
	return `${words}: ${all}${open > 0 ? ` (${open} would be sent: ${safeguard} is off)` : ''}.`;
}

/** Totals of a dry run. Duplicates and empty fields are counted whatever the options. */
export class DryRunTotals {
	private readonly counts = { all: 0, sent: 0, rejected: 0, parts: 0, abroad: 0 };
	private readonly noticed = { repeats: 0, gaps: 0, openGaps: 0 };
	private readonly skipped = { optedOut: 0, alreadySent: 0 };

	constructor(private readonly values: TotalsValues) {}

	/** @param about a message that is not invalid, or an item that is */
	notice({ isRepeat = false, hasGap = false, isInvalid = false }): void {
		if (isRepeat) this.noticed.repeats += 1;
		if (hasGap) this.noticed.gaps += 1;
		if (hasGap && !isInvalid) this.noticed.openGaps += 1;
	}

	/**
	 * @param row the output for one recipient
	 * @param isHeldBack whether only a limit of the whole run keeps it from being sent
	 */
	add({ to, wouldSend, skipped, parts }: IDataObject, isHeldBack = false): void {
		this.counts.all += 1;
		if (wouldSend === true || isHeldBack) {
			this.counts.sent += 1;
			this.counts.parts += Number(parts);
			if (!isDomestic(String(to))) this.counts.abroad += 1;
		} else if (typeof skipped === 'string') {
			if (skipped === 'optedOut' || skipped === 'alreadySent') this.skipped[skipped] += 1;
		} else {
			this.counts.rejected += 1;
		}
	}

	/** @param stop why nothing would be sent as it is */
	describe(stop = ''): string {
		const { all, sent, rejected, parts } = this.counts;
		const { repeats, gaps, openGaps } = this.noticed;
		const { skipDuplicates, doNotSendTo } = this.values;
		return [
			'Dry run: nothing was sent.',
			stop,
			`Recipients: ${all}.`,
			`To send: ${sent} (parts: ${parts}).`,
			`Rejected: ${rejected}${rejected > 0 ? ', listed first' : ''}.`,
			describeCount('Duplicates', repeats, skipDuplicates ? 0 : repeats, 'Skip Duplicates'),
			describeCount('With an empty field', gaps, openGaps, 'Reject Empty Fields'),
			doNotSendTo.size > 0
				? `On Do Not Send To: ${this.skipped.optedOut}.`
				: 'Opt-outs: not checked, Do Not Send To is empty.',
			`Already sent: ${this.skipped.alreadySent}.`,
		]
			.filter(Boolean)
			.join(' ');
	}

	/** The cost of the run, compared with the balance. */
	async describeCost(
		pricePerPart: number,
		getBalance: () => Promise<BalanceResponse>,
	): Promise<string> {
		if (pricePerPart === 0) return 'Enter Price per Part to see the cost.';
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
	return `${costs}. Your balance of ${balance}${unit} is ${missing}${unit} short.`;
}
