import { callSandbox, list, requestCode, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('sending to the sandbox', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const sendByQuery = (query: Record<string, string>) =>
		callSandbox(sandbox, {
			method: 'POST',
			path: '/http/send',
			query: { to: '09779123456', message: 'Hello', from: 'Shop', ...query },
		});

	describe('recipients', () => {
		test.each([
			['09779123456', '959779123456', 'Telenor'],
			['959254123456', '959254123456', 'MPT'],
			['+959951234567', '959951234567', 'Ooredoo'],
			['+6591234567', '6591234567', 'Unknown'],
			['+14155550123', '14155550123', 'Unknown'],
		])('%s is returned as %s on network %s', async (to, answered, network) => {
			const { data } = await send(sandbox, { to });
			expect(data.messages[0]).toMatchObject({ to: answered, network });
		});

		test.each([
			'6591234567',
			'12345',
			'09 779 123 456',
			'+959',
			'+9591',
			'',
			'09779123456,09779123457',
			['09779123456'],
			9779123456,
			null,
			'၀၉၇၇၉၁၂၃၄၅၆',
		])('%p is rejected and nothing is stored', async (to) => {
			const { status, data } = await send(sandbox, { to });
			expect(status).toBe(422);
			expect(data).toMatchObject({ name: 'Unprocessable Entity', code: 0, status: 422 });
			expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		});
	});

	describe('fields', () => {
		test.each(['to', 'message', 'from'])('a send without %s is rejected', async (name) => {
			const { status, data } = await send(sandbox, { [name]: undefined });
			expect([status, data.message.toLowerCase()]).toEqual([422, `${name} cannot be blank.`]);
		});

		test.each([
			[true, true],
			[1, true],
			['1', true],
			['true', true],
			['True', true],
			['TRUE', true],
			[false, false],
			[0, false],
			['0', false],
			['false', false],
			['False', false],
			['FALSE', false],
			[null, false],
		])('a test flag of %p is read as %p', async (test, read) => {
			const { status, data } = await send(sandbox, { test });
			expect([status, data.messages[0].test]).toEqual([201, read]);
		});

		test.each(['yes', 2, -1, [], {}, [1]])('a test flag of %j is rejected', async (test) => {
			const { status, data } = await send(sandbox, { test });
			expect([status, data.message]).toEqual([422, 'Test must be a boolean']);
		});

		test.each([
			['none', []],
			['test', ['test']],
			['all', ['test', 'encrypt', 'unicode']],
		] as const)(
			'with strictFlags %s, booleans are rejected for %j',
			async (strictFlags, strict) => {
				sandbox.configure({ strictFlags });
				for (const name of ['test', 'encrypt', 'unicode'] as const) {
					const isStrict = (strict as readonly string[]).includes(name);
					const expected = isStrict ? 422 : 201;
					expect((await send(sandbox, { [name]: false })).status).toBe(expected);
					expect((await send(sandbox, { [name]: true })).status).toBe(expected);
					for (const text of ['true', 'True', 'FALSE']) {
						expect((await sendByQuery({ [name]: text })).status).toBe(expected);
					}
					expect((await send(sandbox, { [name]: 1 })).status).toBe(201);
					expect((await sendByQuery({ [name]: '0' })).status).toBe(201);
				}
			},
		);

		test('a flag that is rejected for being a boolean is rejected in the words that were seen', async () => {
			sandbox.configure({ strictFlags: 'test' });
			const { status, data } = await send(sandbox, { test: false });
			expect([status, data.message]).toEqual([422, 'Test must be a number']);
		});

		test('what the specification does not show is ignored, and told', async () => {
			const { status, headers } = await send(sandbox, { foo: 1, 'ü\n': 2 });
			const note = 'ignored, since the specification does not show it here: foo, ü\n';
			expect([status, headers['sandbox-note']]).toEqual([201, note.replace(/[ü\n]/g, '?')]);
			expect(sandbox.requests()[0]!.notes).toEqual([note]);
			expect((await send(sandbox)).headers).not.toHaveProperty('sandbox-note');
		});

		test('of a repeated parameter the last one counts, and that is told', async () => {
			const query = 'to=09779123456&to=09254123456&message=Hello&from=Shop&from=Shop&from=Shop';
			const token = encodeURIComponent(sandbox.token);
			const answer = await fetch(`${sandbox.baseUrl}/http/send?accessToken=${token}&${query}`, {
				method: 'POST',
			});
			const note = 'repeated, and the last one counts: to, from';
			expect([answer.status, answer.headers.get('sandbox-note')]).toEqual([201, note]);
			expect(sandbox.requests()[0]!.notes).toEqual([note]);
			expect(sandbox.messages()).toMatchObject([{ to: '959254123456' }]);
		});

		test('a repeated parameter is told although the request is rejected', async () => {
			const query = `accessToken=${encodeURIComponent(sandbox.token)}&requestId=1&code=1&code=2`;
			const answer = await fetch(`${sandbox.baseUrl}/otp/verify?${query}&foo=1`, {
				method: 'POST',
			});
			expect(answer.status).toBe(400);
			expect(answer.headers.get('sandbox-note')).toBe('repeated, and the last one counts: code');
		});

		test('a client reference has at most 50 characters', async () => {
			const fits = await send(sandbox, { clientReference: 'မ'.repeat(50) });
			const isTooLong = await send(sandbox, { clientReference: 'a'.repeat(51) });
			expect([fits.status, isTooLong.status]).toEqual([201, 422]);
		});

		test('a missing client reference is an empty text, and null where it was sent by query', async () => {
			const byRest = await send(sandbox);
			const byQuery = await sendByQuery({});
			expect(byRest.data.messages[0].clientReference).toBe('');
			expect(byQuery.data.messages[0].clientReference).toBeNull();
			const { data } = await list(sandbox);
			expect(data.messages.map((one: Record<string, unknown>) => one.clientReference)).toEqual([
				'',
				'',
			]);
		});

		test('a receipt URL that is none is rejected', async () => {
			const { status } = await send(sandbox, { deliveryReceiptUrl: 'javascript:alert(1)' });
			expect(status).toBe(422);
		});

		test('a body that is not JSON, or not an object, is rejected', async () => {
			const broken = await send(sandbox, {}).then(() =>
				callSandbox(sandbox, { method: 'POST', path: '/rest/send', body: '{"to":' }),
			);
			const array = await callSandbox(sandbox, { method: 'POST', path: '/rest/send', body: [] });
			expect([broken.status, array.status]).toEqual([400, 400]);
		});

		test('another content type than JSON is rejected', async () => {
			const { status } = await callSandbox(sandbox, {
				method: 'POST',
				path: '/rest/send',
				body: 'to=09779123456&message=Hello&from=Shop',
				headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			});
			expect(status).toBe(415);
		});

		test('names of the prototype do no harm', async () => {
			const body =
				'{"__proto__":{"test":1},"constructor":1,"to":"09779123456","message":"x","from":"y"}';
			const { status, data } = await callSandbox(sandbox, {
				method: 'POST',
				path: '/rest/send',
				body,
			});
			expect([status, data.messages[0].test]).toEqual([201, false]);
		});
	});

	describe('scheduling', () => {
		test('a scheduled message stays Accepted until it is due in GMT+6:30', async () => {
			const dueMs = Date.now() + 60 * 60 * 1000;
			const scheduledAt = new Date(dueMs + 6.5 * 60 * 60 * 1000)
				.toISOString()
				.slice(0, 19)
				.replace('T', ' ');
			const { data } = await send(sandbox, { scheduledAt });
			expect(data.messages[0]).toMatchObject({ scheduledAt, status: 'Accepted' });
			sandbox.advance(59 * 60 * 1000);
			expect(sandbox.messages()[0]!.status).toBe('Accepted');
			sandbox.advance(2 * 60 * 1000);
			expect(sandbox.messages()[0]!.status).toBe('Delivered');
		});

		test.each([
			'2099-12-31',
			'2099-12-31T10:00:00',
			'2099-12-31T10:00:00Z',
			'2099-02-30 10:00:00',
			'31.12.2099 10:00',
			'2020-01-01 00:00:00',
		])('%s is rejected', async (scheduledAt) => {
			expect((await send(sandbox, { scheduledAt })).status).toBe(422);
		});
	});

	describe('the query-parameter surface', () => {
		test('accepts flags as text, and rejects every flag when it is set to be strict', async () => {
			const { data } = await sendByQuery({ test: '1' });
			expect(data.messages[0].test).toBe(true);
			sandbox.configure({ strictHttpFlags: true });
			expect((await sendByQuery({ test: '1' })).status).toBe(422);
			expect((await sendByQuery({})).status).toBe(201);
		});
	});

	test('200 can be set as the status of success', async () => {
		sandbox.configure({ successStatus: 200 });
		expect([(await send(sandbox)).status, (await list(sandbox)).status]).toEqual([200, 200]);
	});

	test('a success has the status that is set for its surface', async () => {
		sandbox.configure({ successStatus: { rest: 201, otp: 200, http: 202 } });
		const otp = await requestCode(sandbox);
		const number = { to: '09779123456', message: 'x', from: 'B' };
		const http = await callSandbox(sandbox, { method: 'GET', path: '/http/send', query: number });
		expect([(await send(sandbox)).status, otp.status, http.status]).toEqual([201, 200, 202]);
		const half = { rest: 201 } as never;
		expect(() => sandbox.configure({ successStatus: half })).toThrow(
			'successStatus.otp is missing',
		);
	});
});
