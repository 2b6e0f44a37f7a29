import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../../../tools/harness/inCollections';
import { options } from '../../../../nodes/SmsSend/send.operation';
import { OptionReader } from '../../../../nodes/shared/options/reader';
import { limitParts, readDraft } from '../../../../nodes/shared/sending/draft';
import { attempt, InputError } from '../../../../nodes/shared/input/InputError';

const fields: IDataObject = { message: 'Hello', from: ' MyShop ' };
const client = { serviceTimeZone: 'Asia/Yangon', defaults: { from: '', brand: '' } };
const read = (given: IDataObject = {}, { isTool = false } = {}) => {
	const parameters = { ...fields, ...inCollections(given) } as never;
	const readField = (name: string) =>
		name.includes('.') ? given[name.replace(/.*\./, '')] : fields[name];
	const reader = new OptionReader(options, readField, { parameters, items: 1 });
	const node = { parameters, type: isTool ? 'smsSendTool' : 'smsSend' };
	const context = { getNode: () => node, getNodeOutputs: () => [] } as never;
	return readDraft({ context, readField, options: reader, client }, 0);
};

describe('a draft', () => {
	test.each([
		[{ encrypt: true, encryptKey: 'key', surface: 'http' }, {}, 'encryptKey', 'Set Request Format'],
		[{ encrypt: true }, { isTool: true }, 'encryptKey', 'Add Encryption Key to the options'],
		[{ skipIfAlreadySent: true }, {}, 'clientReference'],
		[{ skipIfAlreadySent: true, clientReference: ' ' }, {}, 'clientReference'],
	])('is rejected with %j in %j, naming %s', (given, more, field, remedy = '') => {
		expect(() => read(given as IDataObject, more)).toThrow(
			expect.objectContaining({ field, hint: expect.stringContaining(remedy) }) as InputError,
		);
	});
});

test('a text may have as many parts as are allowed', () => {
	expect(limitParts('x'.repeat(161), false, 2).parts).toBe(2);
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
