import fc from 'fast-check';

import { findRejectionOfCode } from '../../../../nodes/shared/client/confirmation';
import { readCredentials } from '../../../../nodes/shared/client/credential';
import { endpoints, type Endpoint } from '../../../../nodes/shared/client/endpoints';
import {
	isAcceptance,
	isRejection,
	parseRetryAfter,
	readRecords,
	readResponse,
	readWords,
	toFailure,
	toRejection,
} from '../../../../nodes/shared/client/response';
import { anything } from '../../../support/unit/otpResponses';

const credentials = readCredentials({ apiKey: 'the key', apiSecret: 'secret' });
const answer = (
	status: number,
	body: unknown = undefined,
	headers = {},
	of: Endpoint = endpoints.send,
) =>
	readResponse(
		{ request: 'POST /x', status, headers, text: JSON.stringify(body) },
		of,
		credentials,
	);

const statuses = fc.integer({ min: 200, max: 599 });
const bodies = fc.oneof(
	fc.jsonValue(),
	fc.constant(undefined),
	fc.dictionary(fc.constantFrom('messages', 'message', 'status', 'error', 'name'), fc.jsonValue()),
	fc.record({ messages: fc.array(fc.jsonValue()) }),
);

describe('toFailure', () => {
	test('is certain that nothing happened only for a rejection, a 3xx and a 4xx other than 408', () => {
		fc.assert(
			fc.property(statuses, bodies, (status, body) => {
				const failure = toFailure(answer(status, body));
				const effective = answer(status, body).status;
				const isRejection = (effective >= 300 && effective < 500) || failure.kind === 'rejected';
				const isCertain = isRejection && effective !== 408;
				expect(failure.mayHaveActed).toBe(!isCertain);
				expect(failure.facts.words ?? '').not.toMatch(/[\p{Cc}]|secret/u);
			}),
		);
	});
});

describe('the status of a response', () => {
	test.each([
		[200, { name: 'Unauthorized', message: 'No', code: 0, status: 401 }, 401],
		[201, { message: 'No', status: '403' }, 403],
		[200, { message: 'Fine', status: 200 }, 200],
		[200, { status: 401 }, 200],
		[200, { message: 'Hello', status: 'Delivered' }, 200],
		[200, { message: 'No', status: false }, 200],
		[500, { message: 'No', status: 200 }, 500],
		[400, { message: 'No', status: 401 }, 400],
		[200, { message: 'No', statusCode: 429 }, 429],
		[200, { message: 'No', status: 999 }, 200],
		[200, [{ message: 'No', status: 401 }], 200],
		[200, { message: 'Fine', data: { message: 'No', status: 401 } }, 401],
	])('reads %i with %j as %i', (status, body, expected) => {
		expect(answer(status, body).status).toBe(expected);
	});
});

describe('readRecords', () => {
	test.each([
		[{ messages: [] }, 'unreadable'],
		[{ messages: 'none' }, 'unreadable'],
		[{ messages: [null, 1] }, 'unreadable'],
		[{ messages: {} }, 'unreadable'],
		[{}, 'unreadable'],
		[undefined, 'unreadable'],
		[{ status: false, message: 'Invalid Sender ID' }, 'rejected'],
		[{ status: 'false', message: 'Invalid Sender ID' }, 'rejected'],
		[{ status: 0, message: 'Invalid Sender ID' }, 'rejected'],
		[{ message: 'Unauthorized', statusCode: 401 }, 'authentication'],
		[{ message: 'Unauthorized', status: 401 }, 'authentication'],
	])('accepts %j as %s', (body, kind) => {
		expect(() => readRecords(answer(200, body))).toThrow(expect.objectContaining({ kind }));
	});
});

describe('a response in a wrapper', () => {
	const accepted = { messageId: 'm-1', status: 'Accepted' };
	const read = (body: unknown) => readRecords(answer(200, body));

	test.each([
		{ success: false, message: 'Invalid Sender ID' },
		{ success: false, message: 'Invalid Sender ID', data: { messages: [] } },
		{ success: 'false', error: 'Invalid Sender ID', data: {} },
	])('keeps a refusal: %j', (body) => {
		expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'rejected' }));
	});

	test('never takes an accepted message for a refused one, whatever is around it', () => {
		expect(read({ success: false, data: { messages: [accepted] } })).toEqual([accepted]);
	});

	const rejected = { status: 'Rejected', message: 'Invalid Sender ID' };
	test.each([
		['a rejected one', { data: { messages: [rejected] } }, [rejected]],
		['those beside what is no record', { messages: [null, accepted] }, [accepted]],
		['one without a status', [{ messageId: 'm-1' }], [{ messageId: 'm-1' }]],
		[
			'one under its name, without a status',
			{ messages: [{ messageId: 'm-1' }] },
			[{ messageId: 'm-1' }],
		],
	])('reads %s', (_, body, records) => {
		expect(read(body)).toEqual(records);
	});
});

describe('readWords', () => {
	const wordsOf = (body: unknown) => readWords(body, (text) => text.includes('secret'));

	test.each([
		[
			[{ field: 'to', message: 'To is invalid.' }, { message: 'More.' }],
			'to: To is invalid. More.',
		],
		[{ message: [{ field: 'ttl', message: 'Too short' }] }, 'ttl: Too short'],
		[{ error: { message: 'Nested' } }, 'Nested'],
		[{ message: 'two\r\n\tlines \u0007' }, 'two lines'],
		[{ message: 'the secret is out' }, undefined],
		[[{ field: 'to', message: 'secret' }, { message: 'More.' }], undefined],
		[{ message: 'half \ud83d' }, 'half \ufffd'],
		[{ message: '', error: 'Denied' }, 'Denied'],
		[{ message: 5, error: ' Denied \n' }, 'Denied'],
		[[{ field: 'to', message: 'Invalid.' }, { field: 'from' }], 'to: Invalid.'],
		[[{ field: 'to' }], undefined],
		['text', undefined],
		[null, undefined],
	])('reads %j as %j', (body, words) => expect(wordsOf(body)).toBe(words));

	test('does not pass on a whole page', () => {
		const message = `${'x'.repeat(10_000)}secret`;
		expect(wordsOf({ message })).toHaveLength(500);
	});

	test('shows no part of a secret at the end of what it passes on', () => {
		const message = `${'x'.repeat(497)}secret`;
		expect(wordsOf({ message })).toBeUndefined();
	});
});

test('a date in Retry-After is compared with the clock of the service', () => {
	const headers = {
		date: 'Wed, 01 Jan 2020 10:00:00 GMT',
		'retry-after': 'Wed, 01 Jan 2020 10:00:05 GMT',
	};
	expect(toFailure(answer(429, undefined, headers)).facts.retryAfterMs).toBe(5_000);
});

describe('isAcceptance', () => {
	test.each([
		[{ messageId: 1, status: 'Accepted' }, true],
		[{ messageId: '', status: 'Accepted' }, false],
		[{ messageId: true, status: 'Accepted' }, false],
		[{ messageId: 'm-1', status: '' }, false],
		[{ messageId: 'm-1' }, false],
	])('of the record %j: %p', (record, expected) => {
		expect(isAcceptance(record as never)).toBe(expected);
	});
});

describe('the words of the service', () => {
	test('of a rejected record are in its error, unless they hold a secret', () => {
		const response = answer(200, {});
		const facts = (message: string, data?: unknown) =>
			toRejection({ message, data } as never, response).facts;
		expect(facts('Denied')).toMatchObject({ status: 200, words: 'Denied' });
		expect(facts('a secret').words).toBeUndefined();
		// A published client reads a third field, the detail.
		expect(facts('Invalid Sender ID', 'MyShop').words).toBe('Invalid Sender ID (MyShop)');
		expect(facts('Invalid', [{ field: 'from', message: 'unknown' }]).words).toBe(
			'Invalid (from: unknown)',
		);
		expect(facts('Invalid', 'a secret').words).toBeUndefined();
		expect(facts('Invalid', null).words).toBe('Invalid');
	});

	test('do not include the text of a message that was rejected by its status', () => {
		const record = { messageId: 'a', status: 'Rejected', message: 'Hello' } as never;
		expect(toRejection(record, answer(201, {})).facts.words).toBe('its status is Rejected');
	});
});

test('a record is a rejection by a status that says no, and by no other', () => {
	const isRejected = (status?: unknown) => isRejection({ status } as never);
	expect([false, ' false ', 0, '0', 'Rejected'].map(isRejected)).toEqual(Array(5).fill(true));
	const others = ['Accepted', 'Failed', '?', true, null, undefined].map(isRejected);
	expect(others).toEqual(Array(6).fill(false));
});

describe('a rejection', () => {
	test('of a message is one of a code, always; the other way round is not', () => {
		const part = fc.dictionary(fc.constantFrom('status', 'message', 'verified'), anything);
		fc.assert(
			fc.property(part, (record) => {
				if (isRejection(record)) expect(findRejectionOfCode(record)).toBe(record);
			}),
		);
		expect(isRejection({ status: 'Unknown' })).toBe(false);
		expect(findRejectionOfCode({ status: 'Unknown' })).toBeDefined();
	});
});

describe('the body of a success', () => {
	const one = { messageId: 'm-1', status: 'Accepted' };
	const other = { status: false, message: 'Invalid Sender ID' };
	const read = (body: unknown, of?: Endpoint) => answer(200, body, {}, of).body;

	test.each([
		['at the top', { messages: [one, other] }],
		['in data', { success: true, data: { messages: [one, other] } }],
		['as data', { success: true, data: [one, other] }],
		['as the whole body', [one, other]],
	])('has its messages at its top, if they come %s', (_, body) => {
		expect(read(body)).toMatchObject({ messages: [one, other] });
	});

	test('has one message as a list', () => {
		expect(read({ messages: one })).toMatchObject({ messages: [one] });
	});

	test('keeps the counts of a history beside its messages', () => {
		const counts = { limit: 20, records: 2, start: 0 };
		expect(read({ data: { messages: [one], ...counts } })).toMatchObject(counts);
		expect(read({ data: [one], ...counts })).toMatchObject(counts);
	});

	test.each([
		['an error', { name: 'Bad Request', message: 'No', code: 0, status: 400 }],
		['a list of errors', [{ field: 'to', message: 'No' }]],
		['a list of errors in data', { data: [{ field: 'to', message: 'No' }] }],
		['messages that are text', { messages: 'none' }],
		['messages without any sign of one', { messages: { to: ['is invalid'] } }],
		['nothing', undefined],
	])('has no messages in %s', (_, body) => {
		expect(() => readRecords(answer(200, body))).toThrow();
	});

	test('has another field at the top or in data, and nowhere else', () => {
		const balance = { balance: 5, currency: 'MMK' };
		const of = endpoints.getBalance;
		expect(read(balance, of)).toEqual(balance);
		expect(read({ success: true, data: balance }, of)).toEqual(balance);
		expect(read({ result: balance }, of)).toEqual({ result: balance });
	});
});

describe('parseRetryAfter', () => {
	const now = Date.parse('2026-11-20T09:00:00Z');

	test.each([
		[' 0 ', 0],
		['1.5', 1500],
		['1.25', 1250],
		['  ', undefined],
		['Fri, 20 Nov 2026 09:00:07 GMT', 7000],
		['Fri, 20 Nov 2026 08:00:00 GMT', 0],
		['86400', 60_000],
		['9'.repeat(400), undefined],
		[undefined, undefined],
	])('reads %j as %p milliseconds', (value, expected) => {
		expect(parseRetryAfter(value, now)).toBe(expected);
	});
});
