import { isRejection } from '../shared/client/rejection';
import type { MessageRecord } from '../shared/client/types';
import { groupBy } from '../shared/delivery/lookUp';
import { digitsOf } from '../shared/validation/recipient';
import { comparableText } from '../shared/validation/text';

export interface SentMessage {
	to: string;
	message: string;
	from: string;
}

/** Strongest match first; a rejection has its reason in place of the text (field note 3). */
const signs: Array<(sent: SentMessage) => string> = [
	(sent) => JSON.stringify([digitsOf(sent.to), sent.message, sent.from]),
	(sent) => JSON.stringify([digitsOf(sent.to), comparableText(sent.message)]),
	(sent) => digitsOf(sent.to),
];

function toSent(record: MessageRecord): SentMessage {
	return {
		to: String(record.to ?? ''),
		message: String(record.message ?? ''),
		from: String(record.from ?? ''),
	};
}

/** Most records come in the order of the request and need no search. */
function isRecordOf(sent: SentMessage, record?: MessageRecord): boolean {
	if (record?.message !== sent.message || record.from !== sent.from) return false;
	return digitsOf(record.to) === digitsOf(sent.to);
}

/**
 * Finds the record of each message of a bulk request, in any order. A message without a certain record gets
 * `undefined`: its outcome must be looked up, not guessed.
 */
export function pairRecords(
	sent: SentMessage[],
	records: MessageRecord[],
): Array<MessageRecord | undefined> {
	const isInOrder = sent.map((one, index) => isRecordOf(one, records[index]));
	const pairs = isInOrder.map((isPair, index) => (isPair ? records[index] : undefined));
	let openSent = [...sent.keys()].filter((index) => !isInOrder[index]);
	let openRecords = records.filter((_, index) => !isInOrder[index]);

	for (const sign of signs) {
		if (openSent.length === 0) break;
		const groups = groupBy(openRecords, (record) => sign(toSent(record)));
		const wanted = groupBy(openSent, (index) => sign(sent[index]));
		for (const [key, indices] of wanted) {
			const candidates = groups.get(key) ?? [];
			// A weaker match counts only if it is clear which message is meant.
			const isClear =
				sign === signs[0] ||
				(key !== '' &&
					(sign === signs[1]
						? candidates.length === indices.length
						: areInterchangeable(sent, indices, candidates)));
			if (!isClear) continue;
			indices.slice(0, candidates.length).forEach((index, n) => (pairs[index] = candidates[n]));
		}
		const used = new Set(pairs);
		openRecords = openRecords.filter((record) => !used.has(record));
		openSent = openSent.filter((index) => pairs[index] === undefined);
	}
	pairNamelessRejections(openSent, openRecords, pairs);
	return pairs;
}

function areInterchangeable(
	sent: SentMessage[],
	indices: number[],
	candidates: MessageRecord[],
): boolean {
	if (indices.length === 1 && candidates.length === 1) return true;
	const areAllRejected = candidates.length === indices.length && candidates.every(isRejection);
	return areAllRejected && indices.every((index) => sent[index].to === sent[indices[0]].to);
}

/** Pairs rejections without a phone number if there are as many as messages left. */
function pairNamelessRejections(
	openSent: number[],
	openRecords: MessageRecord[],
	pairs: Array<MessageRecord | undefined>,
): void {
	const rejections = openRecords.filter(
		(record) => isRejection(record) && digitsOf(record.to) === '',
	);
	if (rejections.length !== openSent.length) return;
	openSent.forEach((index, n) => (pairs[index] = rejections[n]));
}
