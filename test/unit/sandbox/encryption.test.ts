import { decryptMessage } from '../../../sandbox';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('encrypted sending', () => {
	const sandbox = useSandbox({ methods: 'any' });

	test('the text can be read with the key that was returned, and with no other', async () => {
		const text = 'မင်္ဂလာပါ – code 1234';
		const { data } = await send(sandbox, { message: text, encrypt: 1 });
		const { message, encryptKey, encryptMessage } = data.messages[0];
		expect(encryptMessage).toBe(true);
		expect(message).not.toContain('1234');
		expect(await decryptMessage(message, encryptKey)).toBe(text);
		await expect(decryptMessage(message, 'another key')).rejects.toThrow();
	});

	test('the key of the sender is used, and the salt is random', async () => {
		const fields = { encrypt: 1, encryptKey: 'ključ' };
		const first = await send(sandbox, fields);
		const second = await send(sandbox, fields);
		expect(first.data.messages[0].encryptKey).toBe('ključ');
		const readSalt = ({ data }: typeof first) => data.messages[0].message.slice(0, 20) as string;
		expect(readSalt(first)).not.toBe(readSalt(second));
		expect(await decryptMessage(first.data.messages[0].message, 'ključ')).toBe('Hello');
	});

	test('the key is given once, never by history, and is not kept', async () => {
		const { data } = await send(sandbox, { encrypt: 1, encryptKey: 'top-secret' });
		const history = await list(sandbox);
		expect(history.data.messages[0]).toMatchObject({
			encryptMessage: true,
			message: data.messages[0].message,
		});
		expect(history.data.messages[0]).not.toHaveProperty('encryptKey');
		expect(JSON.stringify(sandbox.messages())).not.toContain('top-secret');
	});

	test.each([{}, { encrypt: 0 }, { encrypt: false }])(
		'a key that %j leaves without use is noted',
		async (fields) => {
			const note = 'ignored, since encrypt is not set: encryptKey';
			const { headers } = await send(sandbox, { ...fields, encryptKey: 'mine' });
			expect(headers['sandbox-note']).toBe(note);
			expect(sandbox.requests()[0]!.notes).toEqual([note]);
			const used = await send(sandbox, { encrypt: 1, encryptKey: 'mine', to: '09000000011' });
			expect(used.headers).not.toHaveProperty('sandbox-note');
		},
	);

	test('an ordinary record has neither of the two encryption fields', async () => {
		const { data } = await send(sandbox);
		expect(data.messages[0]).not.toHaveProperty('encryptMessage');
		expect(data.messages[0]).not.toHaveProperty('encryptKey');
	});

	test('the query-parameter surface knows no key: it makes one', async () => {
		const { data } = await callSandbox(sandbox, {
			method: 'POST',
			path: '/http/send',
			query: {
				to: '09779123456',
				message: 'Hello',
				from: 'Shop',
				encrypt: '1',
				encryptKey: 'mine',
			},
		});
		expect(data.messages[0].encryptKey).toMatch(/^[0-9a-f]{32}$/);
	});

	test('the control path decrypts', async () => {
		const { data } = await send(sandbox, { encrypt: 1 });
		const { message, encryptKey } = data.messages[0];
		const decrypted = await control(sandbox, 'POST', '/decrypt', { message, encryptKey });
		expect(decrypted.data).toEqual({ message: 'Hello' });
	});
});
