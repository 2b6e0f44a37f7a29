import { isRejection } from '../client/response';
import type { MessageRecord, SendRequest } from '../client/types';
import { groupBy } from './history';
import { compareNumbers, plainTextOf } from '../input/comparison';
import { digitsOf } from '../input/recipient';

export type SentMessage = Pick<SendRequest, 'to' | 'message' | 'from'>;

type Pairs = Array<MessageRecord | undefined>;
type Sign = (part: { to?: string; message?: string; from?: string }) => string;

const byAll: Sign = (part) => JSON.stringify([digitsOf(part.to), part.message, part.from]);
const byNumberAndText: Sign = (part) => JSON.stringify([digitsOf(part.to), plainTextOf(part)]);
const byText: Sign = plainTextOf;
const byNumber: Sign = ({ to }) => digitsOf(to);
/**
 * Strongest evidence first. A rejection has its reason in place of the text (field note 3). A number that is not shown
 * whole leaves the text, then the position.
 */
const signs = [byAll, byNumberAndText, byText, byNumber];

/** Most records come in the order of the request and need no search. */
function isRecordOf(sent: SentMessage, record?: MessageRecord): boolean {
	if (record?.message !== sent.message || record.from !== sent.from) return false;
	return digitsOf(record.to) === digitsOf(sent.to);
}

/**
 * Finds the record of each message of a bulk request, in any order. A message without a certain record gets
 * `undefined`: its outcome must be looked up, not guessed.
 * @param sent in the order of the request
 */
export function pairRecords(sent: SentMessage[], records: MessageRecord[]): Pairs {
	const pairs: Pairs = sent.map((one, n) => (isRecordOf(one, records[n]) ? records[n] : undefined));
	let open = records.filter((record, n) => pairs[n] !== record);
	for (const sign of signs) {
		pairBy(sign, sent, open, pairs);
		const used = new Set(pairs);
		open = open.filter((record) => !used.has(record));
	}
	pairByPosition(sent, records, open, pairs);
	return pairs;
}

/** A sign weaker than the whole record counts only if it is clear which message is meant. */
function pairBy(sign: Sign, sent: SentMessage[], open: MessageRecord[], pairs: Pairs): void {
	const groups = groupBy(open, sign);
	const left = [...sent.keys()].filter((n) => pairs[n] === undefined);
	for (const [key, places] of groupBy(left, (n) => sign(sent[n]))) {
		const found = groups.get(key) ?? [];
		const areAsMany = found.length === places.length;
		const isClear = areAsMany && places.every((n, at) => canBe(sent[n], found[at]));
		if (sign !== byAll && !(isClear && areInterchangeable(sign, found))) continue;
		for (const [at, record] of found.slice(0, places.length).entries()) pairs[places[at]] = record;
	}
}

/** Of several texts to one number, the number tells only which were rejected. */
function areInterchangeable(sign: Sign, found: MessageRecord[]): boolean {
	return sign !== byNumber || found.length === 1 || found.every(isRejection);
}

function canBe(sent: SentMessage, record: MessageRecord): boolean {
	return compareNumbers(sent.to, record.to) !== 'other';
}

/** What is left, if there is a record for each message, and the order is that of the request or does not matter. */
function pairByPosition(
	sent: SentMessage[],
	records: MessageRecord[],
	open: MessageRecord[],
	pairs: Pairs,
): void {
	const left = [...sent.keys()].filter((n) => pairs[n] === undefined);
	const isInOrder = pairs.every((record, n) => record === undefined || record === records[n]);
	const rejected = open.filter(isRejection).length;
	const isOrdered = isInOrder && records.length === sent.length;
	const areAlike = rejected === 0 || rejected === open.length;
	if (open.length !== left.length || !(isOrdered || areAlike)) return;
	if (left.every((n, at) => canBe(sent[n], open[at])))
		for (const [at, n] of left.entries()) pairs[n] = open[at];
}
