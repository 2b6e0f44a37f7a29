import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../client/failure';
import { describeFailure } from '../client/texts';
import { isDomestic } from '../input/number';
import type { SkipValues } from './planned';

/** Removes floating-point errors. */
export function toAmount(value: number): number {
	return Number(value.toFixed(6));
}

/** The output for one recipient, or for an item without any, and what the totals count of it. */
export interface Row {
	item: number;
	json: IDataObject;
	/** Only a limit of the whole run keeps it from being sent. */
	isHeldBack?: boolean;
	/** An earlier message has the same number and text. */
	isRepeat?: boolean;
	/** It cannot be sent until a person corrects it. */
	isWrong?: boolean;
}

const isToSend = ({ json }: Row) => json.wouldSend === true;
/** What would be sent without a limit of the whole run. */
const isPaid = (row: Row) => isToSend(row) || row.isHeldBack === true;

/**
 * Duplicates are counted whatever the options.
 * @param several how many numbers get more than one text
 * @param stop why nothing would be sent as it is
 */
export function describeTotals(
	rows: Row[],
	{ skipDuplicates, doNotSendTo }: SkipValues,
	several = 0,
	stop = '',
): string {
	const count = (isCounted: (row: Row) => boolean | undefined) => rows.filter(isCounted).length;
	const skipped = (reason: string) => count((row) => row.json.skipped === reason);
	const repeats = count(({ isRepeat }) => isRepeat);
	const heldBack = count(({ isHeldBack }) => isHeldBack);
	const rejected = count((row) => !isPaid(row) && row.json.skipped === undefined);
	return [
		'Dry run: nothing was sent.',
		stop,
		`Recipients: ${rows.length}.`,
		`To send: ${count(isToSend)} (parts: ${sumParts(rows.filter(isToSend))}).`,
		heldBack > 0 ? `Held back: ${heldBack} (parts: ${sumParts(rows)}).` : '',
		`Rejected: ${rejected}${rejected > 0 ? ', listed first' : ''}.`,
		`Duplicates: ${repeats}${repeats > 0 && !skipDuplicates ? ' (they would be sent: Skip Duplicates is off)' : ''}.`,
		several > 0 ? `Numbers with more than one text: ${several}.` : '',
		doNotSendTo.size > 0
			? `On Do Not Send To: ${skipped('optedOut')}.`
			: 'Opt-outs: not checked, Do Not Send To is empty.',
		`Already sent: ${skipped('alreadySent')}.`,
	]
		.filter(Boolean)
		.join(' ');
}

function sumParts(rows: Row[]): number {
	return rows.filter(isPaid).reduce((parts, { json }) => parts + Number(json.parts), 0);
}

/** The cost of the run, compared with the balance. */
export async function describeCost(
	rows: Row[],
	pricePerPart: number,
	getBalance: () => Promise<IDataObject>,
): Promise<string> {
	if (pricePerPart === 0) return 'Enter Price per Part to see the cost.';
	const cost = toAmount(sumParts(rows) * pricePerPart);
	const { length: abroad } = rows.filter((row) => isPaid(row) && !isDomestic(String(row.json.to)));
	const note = abroad > 0 ? ` Prices in other countries differ (recipients: ${abroad}).` : '';
	const told = await getBalance().then(
		(response) => compare(cost, pricePerPart, response),
		(error: unknown) => leaveOpen(cost, pricePerPart, toWords(error)),
	);
	return told + note;
}

function toWords(error: unknown): string {
	return error instanceof ServiceError ? describeFailure(error).message : (error as Error).message;
}

function leaveOpen(cost: number, pricePerPart: number, why: string): string {
	return `Cost at ${pricePerPart} per part: ${cost}. The balance could not be compared: ${why}.`;
}

function compare(cost: number, pricePerPart: number, response: IDataObject): string {
	const balance = Number(response.balance || NaN);
	if (!Number.isFinite(balance)) {
		return leaveOpen(cost, pricePerPart, 'the service returned none');
	}
	const unit = typeof response.currency === 'string' ? ` ${response.currency}` : '';
	const costs = `Cost at ${pricePerPart}${unit} per part: ${cost}${unit}`;
	if (balance >= cost) return `${costs}. Your balance of ${balance}${unit} is sufficient.`;
	const missing = toAmount(cost - balance);
	return `${costs}. Your balance of ${balance}${unit} is ${missing}${unit} short.`;
}
