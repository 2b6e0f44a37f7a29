import fc from 'fast-check';

import {
	findRejection,
	findRejectionOfCode,
	isRejection,
	isRejectionOfCode,
	statusWithin,
} from '../../../../nodes/shared/client/rejection';
import { anything, refusals, whole } from '../../../support/unit/otpResponses';

test.each([
	[{ status: false }, true],
	[{ status: 'false' }, true],
	[{ status: 0 }, true],
	[{ status: '0' }, true],
	[{ status: 'Accepted' }, false],
	[{ status: 'Rejected' }, true],
	[{ status: 'Failed' }, false],
	[{ status: '?' }, false],
	[{ status: true }, false],
	[{ status: null }, false],
	[{}, false],
])('the record %j is a rejection: %p', (record, expected) => {
	expect(isRejection(record)).toBe(expected);
});

describe('a rejection', () => {
	test('of a message is one of a code, always; the other way round is not', () => {
		const part = fc.dictionary(fc.constantFrom('status', 'message', 'verified'), anything);
		fc.assert(
			fc.property(part, (record) => {
				if (isRejection(record)) expect(isRejectionOfCode(record)).toBe(true);
			}),
		);
		expect(isRejection({ status: 'Unknown' })).toBe(false);
		expect(isRejectionOfCode({ status: 'Unknown' })).toBe(true);
	});

	test('of a request stands in the body or in its first record, and nowhere else', () => {
		const refused = { status: 'false', message: 'Invalid Sender ID' };
		const accepted = { messageId: 'a', status: 'Accepted' };
		expect(findRejection(refused)).toBe(refused);
		expect(findRejection({ messages: [refused, accepted] })).toBe(refused);
		expect(findRejection({ messages: [accepted, refused] })).toBeUndefined();
		expect(findRejection({ messages: [{ ...accepted, network: refused }] })).toBeUndefined();
		for (const none of [undefined, null, 'false', [refused], { messages: 'no' }]) {
			expect(findRejection(none)).toBeUndefined();
		}
	});

	test.each(refusals)('of a code is found at any depth: %j', (refusal) => {
		expect(findRejectionOfCode({ ...whole, deep: [1, { er: refusal }] })).toBe(refusal);
	});

	test('of a code is not in a plain yes', () => {
		expect(
			findRejectionOfCode({ ...whole, status: 200, error: '', verified: true }),
		).toBeUndefined();
	});

	test.each([{ toString: 1 }, { valueOf: null }, [], [false], Object.create(null)])(
		'is safe from %j in place of a word',
		(status: unknown) => expect(isRejection({ status })).toBe(false),
	);
});

test.each([
	[{ status: 401 }, 401],
	[{ status: '503' }, 503],
	[{ status: false, statusCode: 400 }, 400],
	[{ status: 200 }, undefined],
	[{ status: 999 }, undefined],
	[{ status: 400.5 }, undefined],
	[{ status: [400] }, undefined],
	[{}, undefined],
])('the part %j names the status %p', (part, status) => {
	expect(statusWithin(part)).toBe(status);
});
