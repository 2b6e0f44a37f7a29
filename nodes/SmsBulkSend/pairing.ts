import type { MessageRecord, SendRequest } from '../shared/client/types';
import { compareNumbers, groupBy, plainTextOf } from '../shared/input/comparison';
import { toRecipientKey } from '../shared/input/number';

export type SentMessage = Pick<SendRequest, 'to' | 'message' | 'from'>;

type Part = { to?: string; message?: string };
/** Strongest evidence first. A rejection has its reason in place of the text (field note 3); numbers may be masked. */
const byNumber = ({ to }: Part) => toRecipientKey(to);
const signs: Array<(part: Part) => string> = [
	(part) => `${byNumber(part)}\n${plainTextOf(part)}`,
	byNumber,
	plainTextOf,
];

const canPair = (sent: SentMessage, { to }: MessageRecord) =>
	compareNumbers(sent.to, to) !== 'other';

/**
 * Finds the record of each message of a bulk request, in any order. A message without a certain record gets `undefined`:
 * its outcome is looked up, not guessed.
 * @param sent in the order of the request
 */
export function pairRecords(
	sent: SentMessage[],
	records: MessageRecord[],
): Array<MessageRecord | undefined> {
	const pairs: Array<MessageRecord | undefined> = sent.map(() => undefined);
	let open = records;
	for (const sign of signs) {
		const groups = groupBy(open, sign);
		const left = [...sent.keys()].filter((n) => pairs[n] === undefined);
		for (const [key, places] of groupBy(left, (n) => sign(sent[n]))) {
			const found = groups.get(key) ?? [];
			// Of equal messages, it doesn't matter which record is whose.
			const isClear = found.length === places.length && (sign !== byNumber || found.length === 1);
			if (sign !== signs[0] && !isClear) continue;
			for (const [at, n] of places.entries())
				if (found[at] && canPair(sent[n], found[at])) pairs[n] = found[at];
		}
		const used = new Set(pairs);
		open = open.filter((record) => !used.has(record));
	}
	// What is left has its place in the response, unless others have another one; a last one needs none.
	const isInOrder = records.every((record, n) => (pairs[n] ?? record) === record);
	if (records.length === sent.length && (isInOrder || open.length === 1))
		for (const n of [...sent.keys()].filter((n) => !pairs[n])) {
			const record = open.shift()!;
			if (canPair(sent[n], record)) pairs[n] = record;
		}
	return pairs;
}
