import { decryptMessage } from '../../../sandbox';
import { useSandbox } from '../../support/sandbox/harness';

const sandbox = useSandbox();

describe('a recipient', () => {
	test.each([
		['09779123456', '959779123456', 'Telenor'],
		['959254123456', '959254123456', 'MPT'],
		['+959951234567', '959951234567', 'Ooredoo'],
		['+6591234567', '6591234567', 'Unknown'],
		['+14155550123', '14155550123', 'Unknown'],
	])('%s is returned as %s on network %s', async (to, answered, network) => {
		const { data } = await sandbox.send({ to });
		expect(data.messages[0]).toMatchObject({ to: answered, network });
	});

	test.each([
		...['6591234567', '12345', '09 779 123 456', '+959', '+95912345', '', '၀၉၇၇၉၁၂၃၄၅၆'],
		...['09779123456,09779123457', ['09779123456'], 9779123456, null],
	])('%p is rejected and nothing is stored', async (to) => {
		const { status, data } = await sandbox.send({ to });
		expect(status).toBe(422);
		expect(data).toMatchObject({ name: 'Unprocessable Entity', code: 0, status: 422 });
		expect(sandbox.messages()).toEqual([]);
	});
});

describe('a field', () => {
	test.each(['to', 'message', 'from'])('%s is required', async (name) => {
		const { status, data } = await sandbox.send({ [name]: undefined });
		expect([status, data.message.toLowerCase()]).toEqual([422, `${name} cannot be blank.`]);
	});

	test.each([
		[true, [true, 1, '1', 'true', 'True', 'TRUE']],
		[false, [false, 0, '0', 'false', 'False', 'FALSE', null]],
		[undefined, ['yes', 2, -1, [], {}, [1]]],
	])('test is read as %p from %j', async (read, flags) => {
		for (const test of flags) {
			const { data } = await sandbox.send({ test });
			const seen = data.messages?.[0].test ?? data.message;
			expect([test, seen]).toEqual([test, read ?? 'Test must be a boolean']);
		}
	});

	test.each([
		['none', []],
		['test', ['test']],
		['all', ['test', 'encrypt', 'unicode']],
	] as const)('with strictFlags %s, booleans are rejected for %j', async (strictFlags, strict) => {
		sandbox.configure({ strictFlags });
		for (const name of ['test', 'encrypt', 'unicode'] as const) {
			const expected = strict.some((one) => one === name) ? 422 : 201;
			for (const flag of [true, false]) {
				const { status, data } = await sandbox.send({ [name]: flag });
				expect([name, status]).toEqual([name, expected]);
				// In the words that were seen.
				if (status === 422) expect(data.message).toMatch(/^\w+ must be a number$/);
			}
			for (const text of ['true', 'True', 'FALSE']) {
				expect((await sandbox.sendByQuery({ [name]: text })).status).toBe(expected);
			}
			expect((await sandbox.send({ [name]: 1 })).status).toBe(201);
			expect((await sandbox.sendByQuery({ [name]: '0' })).status).toBe(201);
		}
	});

	test('that is a flag is rejected by query when strictHttpFlags is set', async () => {
		expect((await sandbox.sendByQuery({ test: '1' })).data.messages[0].test).toBe(true);
		sandbox.configure({ strictHttpFlags: true });
		expect((await sandbox.sendByQuery({ test: '1' })).status).toBe(422);
		expect((await sandbox.sendByQuery()).status).toBe(201);
	});

	test('that the specification does not show is ignored, and told', async () => {
		const { status, headers } = await sandbox.send({ foo: 1, 'ü\n': 2 });
		const note = 'ignored, since the specification does not show it here: foo, ü\n';
		expect([status, headers['sandbox-note']]).toEqual([201, note.replace(/[ü\n]/g, '?')]);
		expect(sandbox.requests()[0]!.notes).toEqual([note]);
		expect((await sandbox.send()).headers).not.toHaveProperty('sandbox-note');
	});

	test('that is repeated in a query counts as given last, which is told, also in a rejection', async () => {
		const call = async (path: string, query: string) => {
			const token = encodeURIComponent(sandbox.token);
			const url = `${sandbox.baseUrl}${path}?accessToken=${token}&${query}`;
			const { status, headers } = await fetch(url, { method: 'POST' });
			return [status, headers.get('sandbox-note')];
		};
		const query = 'to=09779123456&to=09254123456&message=Hello&from=Shop&from=Shop&from=Shop';
		const note = 'repeated, and the last one counts: ';
		expect(await call('/http/send', query)).toEqual([201, `${note}to, from`]);
		expect(sandbox.requests()[0]!.notes).toEqual([`${note}to, from`]);
		expect(sandbox.messages()).toMatchObject([{ to: '959254123456' }]);
		const rejected = await call('/otp/verify', 'requestId=1&code=1&code=2&foo=1');
		expect(rejected).toEqual([400, `${note}code`]);
	});

	test('clientReference has at most 50 characters', async () => {
		const fits = await sandbox.send({ clientReference: '👍'.repeat(50) });
		const isTooLong = await sandbox.send({ clientReference: 'a'.repeat(51) });
		expect([fits.status, isTooLong.status]).toEqual([201, 422]);
	});

	test('clientReference is an empty text when missing, and null where it was sent by query', async () => {
		const readReferences = ({ data }: { data: { messages: Array<Record<string, unknown>> } }) =>
			data.messages.map(({ clientReference }) => clientReference);
		expect(readReferences(await sandbox.send())).toEqual(['']);
		expect(readReferences(await sandbox.sendByQuery())).toEqual([null]);
		expect(readReferences(await sandbox.list())).toEqual(['', '']);
	});

	test('deliveryReceiptUrl must be a web address', async () => {
		expect((await sandbox.send({ deliveryReceiptUrl: 'javascript:alert(1)' })).status).toBe(422);
	});

	test('with the name of a property of the prototype does no harm', async () => {
		const order = '"to":"09779123456","message":"x","from":"y"';
		const body = `{"__proto__":{"test":1},"constructor":1,${order}}`;
		const { status, data } = await sandbox.post('/rest/send', body);
		expect([status, data.messages[0].test]).toEqual([201, false]);
	});
});

test('a body that is broken JSON is rejected', async () => {
	expect((await sandbox.post('/rest/send', Buffer.from('{"to":'))).status).toBe(400);
});

describe('a time to send at', () => {
	test('keeps a message Accepted until it is due in GMT+6:30', async () => {
		const dueMs = Date.now() + 3_600_000;
		const local = new Date(dueMs + 6.5 * 3_600_000).toISOString();
		const scheduledAt = local.slice(0, 19).replace('T', ' ');
		const { data } = await sandbox.send({ scheduledAt });
		expect(data.messages[0]).toMatchObject({ scheduledAt, status: 'Accepted' });
		sandbox.advance(59 * 60_000);
		expect(sandbox.messages()[0]!.status).toBe('Accepted');
		sandbox.advance(2 * 60_000);
		expect(sandbox.messages()[0]!.status).toBe('Delivered');
	});

	test.each([
		...['2099-12-31', '2099-12-31T10:00:00', '2099-12-31T10:00:00Z', '2099-02-30 10:00:00'],
		...['31.12.2099 10:00', '2020-01-01 00:00:00'],
	])('is rejected as %s', async (scheduledAt) => {
		expect((await sandbox.send({ scheduledAt })).status).toBe(422);
	});
});

test('a success has the status that is set, for all surfaces or for each', async () => {
	const readStatuses = async () => {
		const answers = [sandbox.send(), sandbox.list(), sandbox.requestCode(), sandbox.sendByQuery()];
		return (await Promise.all(answers)).map(({ status }) => status);
	};
	sandbox.configure({ successStatus: 200 });
	expect(await readStatuses()).toEqual([200, 200, 200, 200]);
	sandbox.configure({ successStatus: { rest: 201, otp: 200, http: 202 } });
	expect(await readStatuses()).toEqual([201, 201, 200, 202]);
	const half = { rest: 201 } as never;
	expect(() => sandbox.configure({ successStatus: half })).toThrow('otp is missing');
});

describe('an encrypted message', () => {
	test("uses the sender's key and a random salt; the key is given once, and is not kept", async () => {
		const fields = { encrypt: 1, encryptKey: 'top-ključ' };
		const [first, second] = [await sandbox.send(fields), await sandbox.send(fields)].map(
			({ data }) => data.messages[0] as { message: string; encryptKey: string },
		);
		expect(first!.encryptKey).toBe('top-ključ');
		expect(first!.message.slice(0, 20)).not.toBe(second!.message.slice(0, 20));
		expect(await decryptMessage(first!.message, 'top-ključ')).toBe('Hello');
		const [, listed] = (await sandbox.list()).data.messages;
		expect(listed).toMatchObject({ encryptMessage: true, message: first!.message });
		expect(listed).not.toHaveProperty('encryptKey');
		expect(JSON.stringify(sandbox.messages())).not.toContain('top-ključ');
	});

	test.each([{}, { encrypt: 0 }, { encrypt: false }])(
		'is none with %j: a key without use is noted',
		async (fields) => {
			const note = 'ignored, since encrypt is not set: encryptKey';
			const { data, headers } = await sandbox.send({ ...fields, encryptKey: 'mine' });
			expect(headers['sandbox-note']).toBe(note);
			expect(sandbox.requests()[0]!.notes).toEqual([note]);
			for (const name of ['encryptMessage', 'encryptKey']) {
				expect(data.messages[0]).not.toHaveProperty(name);
			}
			const used = await sandbox.send({ encrypt: 1, encryptKey: 'mine', to: '09000000011' });
			expect(used.headers).not.toHaveProperty('sandbox-note');
		},
	);

	test('by query has a key that the service makes', async () => {
		const { data } = await sandbox.sendByQuery({ encrypt: '1', encryptKey: 'mine' });
		expect(data.messages[0].encryptKey).toMatch(/^[0-9a-f]{32}$/);
	});
});
