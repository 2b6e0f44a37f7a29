import type { IDataObject } from 'n8n-workflow';

import {
	limitParts,
	readSendRequest,
	readSkipIfAlreadySent,
	readWhenUnclear,
} from '../../../../nodes/shared/fields/readSendRequest';
import { InputError } from '../../../../nodes/shared/validation/InputError';

const fields: IDataObject = { message: 'Hello', from: ' MyShop ' };
const surroundings = { serviceTimeZone: 'Asia/Yangon', isTool: false };
const read = (options: IDataObject = {}, more = {}) =>
	readSendRequest((name) => fields[name], options, 0, { ...surroundings, ...more });

describe('a send request', () => {
	test('holds nothing but what is filled in', () => {
		expect(read({ unicode: false, scheduledAt: '', deliveryReceiptUrl: '' })).toEqual({
			fields: { message: 'Hello', from: 'MyShop' },
			...{ surface: 'rest', clientReference: undefined },
			charge: { encoding: 'GSM-7', parts: 1 },
			...{ isSkipping: false, whenUnclear: 'sendAgain' },
		});
	});

	test('has flags as the number 1, and a schedule in the time of the service', () => {
		const options = { unicode: true, test: 'true', encrypt: 1, encryptKey: 'key' };
		const scheduled = { scheduledAt: '2031-01-01 09:00', scheduledAtTimeZone: 'UTC' };
		expect(read({ ...options, ...scheduled }).fields).toMatchObject({
			...{ unicode: 1, test: 1, encrypt: 1, encryptKey: 'key' },
			scheduledAt: '2031-01-01 15:30:00',
		});
	});

	test.each([
		[{ encryptKey: 'key' }, {}, 'encryptKey'],
		[{ encrypt: true, encryptKey: 'key', surface: 'http' }, {}, 'encryptKey'],
		[{ encrypt: true }, { isTool: true }, 'encryptKey'],
		[{ skipIfAlreadySent: true }, {}, 'clientReference'],
		[{ skipIfAlreadySent: 'yes' }, {}, 'skipIfAlreadySent'],
		[{ encrypt: null }, {}, 'encrypt'],
		[{ test: 'yes' }, {}, 'test'],
		[{ unicode: '' }, {}, 'unicode'],
		[{ surface: 'soap' }, {}, 'surface'],
		[{ whenUnclear: 'guess' }, {}, 'whenUnclear'],
		[{ deliveryReceiptUrl: 'https://user@example.com' }, {}, 'deliveryReceiptUrl'],
	])('is refused with %j in %j, naming %s', (options, more, field) => {
		expect(() => read(options, more)).toThrow(expect.objectContaining({ field }) as InputError);
	});
});

test.each([
	[true, true],
	[1, true],
	['true', true],
	['1', true],
	[false, false],
	['false', false],
	[0, false],
])('the switch %p is on: %p', (skipIfAlreadySent, expected) => {
	expect(readSkipIfAlreadySent({ skipIfAlreadySent })).toBe(expected);
	expect(readSkipIfAlreadySent({})).toBe(false);
});

test('parts are limited only where a limit is set', () => {
	const text = 'x'.repeat(161);
	for (const limit of ['', 0, 2]) expect(limitParts(text, false, limit).parts).toBe(2);
	expect(() => limitParts(text, false, 1)).toThrow('2 parts, and Max Parts allows 1');
});

test('an unclear outcome is sent again unless it is to be reported', () => {
	expect([readWhenUnclear(''), readWhenUnclear('report')]).toEqual(['sendAgain', 'report']);
});
