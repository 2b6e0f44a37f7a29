import fc from 'fast-check';

import { pairRecords, type SentMessage } from '../../../nodes/SmsBulkSend/pairing';
import type { MessageRecord } from '../../../nodes/shared/client/types';

const distinct = fc.uniqueArray(
	fc.record({
		to: fc.integer({ min: 0, max: 6 }).map((n) => `95977912345${n}`),
		message: fc.constantFrom('A', 'B', 'a', 'ကခဂ', 'A longer text'),
		from: fc.constant('Shop'),
	}),
	{ selector: (sent) => JSON.stringify(sent), maxLength: 20 },
);
const shuffled = distinct.chain((sent) =>
	fc.record({
		sent: fc.constant(sent),
		order: fc.shuffledSubarray(
			sent.map((_, index) => index),
			{ minLength: sent.length },
		),
	}),
);
const toRecord = (sent: SentMessage, id: number): MessageRecord => ({
	messageId: `id-${id}`,
	status: 'Accepted',
	...sent,
});
const idsOf = (pairs: Array<MessageRecord | undefined>) => pairs.map((record) => record?.messageId);

describe('pairRecords', () => {
	test('finds the record of each message in whatever order the records come', () => {
		fc.assert(
			fc.property(shuffled, ({ sent, order }) => {
				const records = order.map((index) => toRecord(sent[index], index));
				expect(idsOf(pairRecords(sent, records))).toEqual(sent.map((_, index) => `id-${index}`));
			}),
		);
	});

	test('finds them without the sender ID, when numbers and texts tell them apart', () => {
		const sent = [
			{ to: '959779123456', message: 'A', from: 'Shop' },
			{ to: '959779123456', message: 'B', from: 'Shop' },
			{ to: '959951234567', message: 'A', from: 'Shop' },
		];
		const records = sent.map((one, id) => ({ ...toRecord(one, id), from: undefined })).reverse();
		expect(idsOf(pairRecords(sent, records as MessageRecord[]))).toEqual(['id-0', 'id-1', 'id-2']);
	});

	test('finds each of equal messages, and those whose texts the service has changed by their numbers', () => {
		const [one, other] = ['959779123456', '959951234567'].map((to) => ({
			...{ to, message: 'A', from: 'Shop' },
		}));
		const equal = [toRecord(one, 0), toRecord(one, 2), toRecord(other, 1)];
		expect(idsOf(pairRecords([one, other, one], equal))).toEqual(['id-0', 'id-1', 'id-2']);
		const changed = [other, one].map((sent, id) => ({ ...toRecord(sent, id), message: `${id}` }));
		expect(idsOf(pairRecords([one, other], changed))).toEqual(['id-1', 'id-0']);
	});

	test.each(['+959779123456', '959779123456', '95 9779-123456'])(
		'reads the number %s of a record as the same one',
		(to) => {
			const sent = [{ to: '959779123456', message: 'A', from: 'Shop' }];
			expect(idsOf(pairRecords(sent, [{ ...toRecord(sent[0], 0), to }]))).toEqual(['id-0']);
		},
	);

	test('never pairs one record with two messages, or a message with another number', () => {
		const records = fc.array(
			fc.record({
				messageId: fc.uuid(),
				to: fc.constantFrom('959779123450', '959779123451', '', '959000000011'),
				message: fc.constantFrom('A', 'B', 'Invalid Sender ID', ''),
				from: fc.constantFrom('Shop', ''),
				status: fc.constantFrom<unknown>('Accepted', false),
			}),
			{ maxLength: 10 },
		);
		fc.assert(
			fc.property(distinct, records, (sent, answered) => {
				const pairs = pairRecords(sent, answered as MessageRecord[]);
				expect(pairs).toHaveLength(sent.length);
				const accepted = pairs.filter((record) => record && record.status !== false);
				expect(new Set(accepted).size).toBe(accepted.length);
				pairs.forEach((record, index) => {
					if (record?.to) expect(record.to).toBe(sent[index].to);
				});
			}),
		);
	});

	test('leaves a message without a record open', () => {
		fc.assert(
			fc.property(shuffled, fc.nat(), ({ sent, order }, leftOut) => {
				fc.pre(sent.length > 0);
				const missing = leftOut % sent.length;
				// Another text to the same number: which of the two was left out is told by the text.
				const records = order
					.filter((index) => index !== missing)
					.map((index) => toRecord(sent[index], index));
				const pairs = idsOf(pairRecords(sent, records));
				sent.forEach((_, index) =>
					expect(pairs[index]).toBe(index === missing ? undefined : `id-${index}`),
				);
			}),
		);
	});

	test('pairs a rejection, with the reason in place of the text, with its number', () => {
		const sent = [
			{ to: '959779123456', message: 'A', from: 'Shop' },
			{ to: '959000000011', message: 'B', from: 'Shop' },
		];
		const refusal = { to: '959000000011', status: false, message: 'Invalid Sender ID' };
		const pairs = pairRecords(sent, [refusal, toRecord(sent[0], 0)]);
		expect(pairs).toEqual([expect.objectContaining({ messageId: 'id-0' }), refusal]);
	});

	test('does not guess which of two texts to a number was rejected', () => {
		const sent = ['A', 'B'].map((message) => ({ to: '959779123456', message, from: 'Shop' }));
		const refusal = { to: '959779123456', status: false, message: 'Blocked' };
		expect(pairRecords(sent, [refusal])).toEqual([undefined, undefined]);
		const [first, second] = pairRecords(sent, [refusal, toRecord(sent[1], 1)]);
		expect([first, second?.messageId]).toEqual([refusal, 'id-1']);
		const other = { to: '959951234567', message: 'C', from: 'Shop' };
		const shown = [toRecord(other, 2), refusal, { ...toRecord(sent[0], 0), message: '***' }];
		expect(idsOf(pairRecords([...sent, other], shown))).toEqual([undefined, undefined, 'id-2']);
	});

	test('pairs rejections without a number with the remaining messages, if as many', () => {
		const sent = ['959779123456', '959951234567'].map((to) => ({ to, message: 'A', from: 'Shop' }));
		const refusal = { status: false, message: 'Invalid Sender ID' };
		expect(pairRecords(sent, [refusal])).toEqual([undefined, undefined]);
		expect(pairRecords(sent, [refusal, { ...refusal }])).toEqual([refusal, refusal]);
		expect(idsOf(pairRecords(sent, [refusal, toRecord(sent[0], 0)]))).toEqual(['id-0', undefined]);
		expect(pairRecords(sent, [refusal, toRecord(sent[0], 0)])[1]).toEqual(refusal);
	});

	test('pairs what shows neither number nor text by position, if the order is that of the request', () => {
		const sent = ['959779123456', '959951234567', '959251234567'].map((to) => ({
			...{ to, message: 'A', from: 'Shop' },
		}));
		const refusal = { status: false, message: 'Invalid Sender ID' };
		const [first, last] = [toRecord(sent[0], 0), { messageId: 'id-2', message: '***' }];
		expect(pairRecords(sent, [first, refusal, last])).toEqual([first, refusal, last]);
		expect(pairRecords(sent, [refusal, first, last])).toEqual([first, undefined, undefined]);
	});

	test('pairs equal texts with masked numbers before what is left by position', () => {
		const sent = ['A', 'A', 'B'].map((message, n) => ({
			...{ to: `95977912345${n}`, message, from: 'Shop' },
		}));
		const refusal = { to: '9597791*****', status: false, message: 'Blocked' };
		const shown = [0, 1].map((n) => ({ ...toRecord(sent[n], n), to: '9597791*****' }));
		expect(pairRecords(sent, [refusal, ...shown])).toEqual([...shown, refusal]);
	});
});
