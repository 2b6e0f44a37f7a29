import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../../../tools/harness/inCollections';
import { options } from '../../../../nodes/SmsSend/send.operation';
import { OptionReader } from '../../../../nodes/shared/options/reader';
import { limitParts, readDraft } from '../../../../nodes/shared/sending/draft';
import { attempt, InputError } from '../../../../nodes/shared/input/InputError';
import { ahead } from '../../../support/workflow/ahead';

const fields: IDataObject = { message: 'Hello', from: ' MyShop ' };
const surroundings = { serviceTimeZone: 'Asia/Yangon', isTool: false, senderId: undefined };
const read = (given: IDataObject = {}, more = {}) => {
	const parameters = { ...fields, ...inCollections(given) } as never;
	const readField = (name: string) =>
		name.includes('.') ? given[name.replace(/.*\./, '')] : fields[name];
	const reader = new OptionReader(options, { parameters, readField, items: 1 });
	return readDraft(readField, reader, 0, { ...surroundings, ...more });
};

describe('a draft', () => {
	test('holds nothing but what is filled in', () => {
		expect(read({ unicode: false, clientReference: '', deliveryReceiptUrl: null })).toEqual({
			request: { message: 'Hello', from: 'MyShop' },
			surface: 'rest',
			charge: { encoding: 'GSM-7', parts: 1 },
		});
	});

	test('has flags as the number 1, and a schedule in the time of the service', () => {
		const flags = { unicode: true, test: 'true', encrypt: 1, encryptKey: 'key' };
		const scheduled = { scheduledAt: `${ahead} 09:00`, scheduledAtTimeZone: 'UTC' };
		expect(read({ ...flags, ...scheduled })).toMatchObject({
			request: {
				...{ unicode: 1, test: 1, encrypt: 1, encryptKey: 'key' },
				scheduledAt: `${ahead} 15:30:00`,
			},
		});
	});

	test.each([
		[{ encrypt: true, encryptKey: 'key', surface: 'http' }, {}, 'encryptKey', 'Set Request Format'],
		[{ encrypt: true, encryptKey: '' }, {}, 'encryptKey'],
		[{ encrypt: true }, { isTool: true }, 'encryptKey', 'Add Encryption Key to the options'],
		[{ skipIfAlreadySent: true }, {}, 'clientReference'],
		[{ skipIfAlreadySent: true, clientReference: ' ' }, {}, 'clientReference'],
		[{ skipIfAlreadySent: 'yes' }, {}, 'skipIfAlreadySent'],
		[{ encrypt: null }, {}, 'encrypt'],
		[{ test: 'yes' }, {}, 'test'],
		[{ unicode: '' }, {}, 'unicode'],
		[{ surface: 'soap' }, {}, 'surface'],
		[{ whenOutcomeUnknown: 'guess' }, {}, 'whenOutcomeUnknown'],
		[{ scheduledAt: '' }, {}, 'scheduledAt'],
		[{ scheduledAt: ahead, scheduledAtTimeZone: '' }, {}, 'scheduledAtTimeZone'],
		[{ maxParts: '' }, {}, 'maxParts'],
		[{ deliveryReceiptUrl: 'https://user@example.com' }, {}, 'deliveryReceiptUrl'],
	])('is rejected with %j in %j, naming %s', (given, more, field, remedy = '') => {
		expect(() => read(given as IDataObject, more)).toThrow(
			expect.objectContaining({ field, hint: expect.stringContaining(remedy) }) as InputError,
		);
	});
});

test('parts are limited only where a limit is set', () => {
	const text = 'x'.repeat(161);
	for (const limit of [2, Infinity]) expect(limitParts(text, false, limit).parts).toBe(2);
	expect(() => limitParts(text, false, 1)).toThrow('2 parts, but Max Parts is 1');
});

test.each([
	['x'.repeat(161), '160 characters fit'],
	[
		'မင်္ဂလာပါ သင့်အော်ဒါ ရောက်ရှိပါပြီ '.repeat(3),
		'With Burmese letters, emojis or the option Unicode, 70 characters fit',
	],
])('a text with more parts than are allowed (%#) says what room there is', (text, words) => {
	const read = attempt(() => limitParts(text, false, 1));
	const { field, description } = ('error' in read ? read.error : {}) as InputError;
	expect(field).toBe('message');
	expect(description).toMatch(words);
});
