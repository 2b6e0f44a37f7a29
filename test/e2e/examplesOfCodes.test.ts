import { missingPrograms, startRedis, type Server } from '../queue/services';
import { ExampleBench, readExample } from './examples/ExampleBench';
import type { FormVisitor } from './examples/visitForm';
import { callWebhook } from './harness';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const pause = /Please wait (30|29|28|27|26|25) seconds/;

describe('the examples with one-time codes', () => {
	let bench: ExampleBench;
	beforeAll(async () => {
		bench = await ExampleBench.open({ httpHeaderAuth: websiteKey });
	});
	beforeEach(async () => await bench.reset());
	afterAll(async () => await bench?.close());

	const lastCode = () => bench.sandbox.codes().at(-1)?.code ?? '';
	const wrongCode = () => (lastCode().startsWith('1') ? '222222' : '111111');
	const requests = () => bench.sandbox.requests().map(({ path }) => path);
	/** What the builder of a workflow may read, and a visitor may not. */
	const forBuilders = /\[item \d|details|Parallel Requests|option|undefined|credential/i;
	const expectForVisitors = ({ html }: FormVisitor) => {
		const text = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
		expect(text).not.toMatch(forBuilders);
	};

	/** An example with other limits, which are not what the test is about. */
	const withoutPause = (name: string) => {
		const { nodes } = readExample(name);
		const { options } = nodes.find((node) => node.name === 'Send code')?.parameters ?? {};
		return { 'Send code': { options: { ...(options as object), pauseSeconds: 0 } } };
	};

	describe('otp-on-a-form', () => {
		const name = 'otp-on-a-form';
		const choose = async (visitor: FormVisitor, action: string, code = '') => {
			await visitor.submit({ 'field-0': code, 'field-1': JSON.stringify([action]) });
			expectForVisitors(visitor);
		};
		const check = async (visitor: FormVisitor, code: string) =>
			await choose(visitor, 'Check this code', code);
		const askAgain = async (visitor: FormVisitor) => await choose(visitor, 'Send me a new code');
		const begin = async (number = '09791234567', changes = {}) => {
			const visitor = await bench.visit(name, changes);
			expect(visitor.html).toContain('Verify your phone number');
			await visitor.submit({ 'field-0': number });
			expectForVisitors(visitor);
			return visitor;
		};

		test('verifies a visitor who types the code', async () => {
			const visitor = await begin();
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			expect(visitor.html).not.toContain('Send it by e-mail instead');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(bench.sandbox.codes()).toMatchObject([{ state: 'verified', maxInvalidAttempts: 5 }]);
			expect(lastCode()).toMatch(/^\d{6}$/);
		});

		test('gives a second try after a wrong code', async () => {
			const visitor = await begin();
			await check(visitor, wrongCode());
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('sends a new code on demand, says so, and takes only that one', async () => {
			const visitor = await begin('09791234567', withoutPause(name));
			const firstCode = lastCode();
			await askAgain(visitor);
			expect(visitor.html).toContain('We have sent a new code to 959791234567.');
			expect(visitor.html).toContain('Codes that you got before no longer count.');
			expect(bench.sandbox.codes()).toHaveLength(2);
			await check(visitor, firstCode);
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(bench.sandbox.codes()).toMatchObject([{ verifiedAt: null }, { state: 'verified' }]);
		});

		test('asks to wait before a new code, and still takes the one that was sent', async () => {
			const visitor = await begin();
			await askAgain(visitor);
			expect(visitor.html).toMatch(pause);
			expect(bench.sandbox.codes()).toHaveLength(1);
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('is not to be tricked into more codes by opening it again', async () => {
			const open = await bench.publishForm(name);
			for (let visit = 0; visit < 4; visit += 1) {
				const visitor = await open();
				await visitor.submit({ 'field-0': '09791234567' });
				expect(visitor.html).toMatch(visit === 0 ? /We have sent a code/ : pause);
				expectForVisitors(visitor);
				if (visit > 0) await visitor.submit({});
				if (visit > 0) expect(visitor.html).toMatch(/Please wait \d\d seconds/);
			}
			expect(bench.sandbox.codes()).toHaveLength(1);
		});

		test('sends five codes to a number at most', async () => {
			const visitor = await begin('09791234567', withoutPause(name));
			for (let demand = 0; demand < 5; demand += 1) await askAgain(visitor);
			expect(visitor.html).toContain('Please wait 10 minutes before you ask for a new code.');
			expect(bench.sandbox.codes()).toHaveLength(5);
		});

		test('ends after five wrong codes', async () => {
			const visitor = await begin();
			for (let attempt = 0; attempt < 5; attempt += 1) await check(visitor, wrongCode());
			expect(visitor.html).toContain('These were too many wrong codes.');
		});

		test('asks for the code when the visitor typed none', async () => {
			const visitor = await begin();
			await check(visitor, '');
			expect(visitor.html).toContain('Please type the code that we sent you.');
			expect(requests()).toEqual(['/api/otp/request']);
		});

		test('lets nobody in while the service cannot check codes', async () => {
			const visitor = await begin();
			bench.sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 }, count: 1 });
			await check(visitor, lastCode());
			expect(visitor.html).toContain('The code could not be checked just now.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('does not call a code wrong that a lost check may have used up', async () => {
			const visitor = await begin();
			const match = { path: '/otp/verify' };
			bench.sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
			await check(visitor, lastCode());
			expect(visitor.html).toContain('The code could not be checked just now.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('We cannot say whether that code is right');
		});

		test('asks for another number when one is wrong, and goes on with that', async () => {
			const visitor = await begin('12');
			expect(visitor.html).toContain('Please check the number');
			expect(requests()).toEqual([]);
			await visitor.submit({ 'field-0': '09791234567' });
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(bench.sandbox.codes()).toMatchObject([{ to: '959791234567', state: 'verified' }]);
		});

		test.each(['+6591234567', '+12025550123'])(
			'says that %s is abroad, and asks for another number',
			async (number) => {
				const visitor = await begin(number);
				expect(visitor.html).toContain('We cannot send codes to this number');
				expect(visitor.html).toContain('Myanmar');
				expect(requests()).toEqual([]);
				await visitor.submit({ 'field-0': '09791234567' });
				expect(visitor.html).toContain('We have sent a code to 959791234567');
			},
		);

		test('takes no e-mail address for a number', async () => {
			const visitor = await begin('aye@example.com');
			expect(visitor.html).toContain('Please check the number');
			expect(requests()).toEqual([]);
		});

		test('says that the service is not available, and tries again on demand', async () => {
			const match = { path: '/otp/request' };
			bench.sandbox.addFault({ match, effect: { status: 401 }, count: 1 });
			const visitor = await begin();
			expect(visitor.html).toContain('Codes cannot be sent just now.');
			await visitor.submit({});
			expect(visitor.html).toContain('We have sent a code to 959791234567');
		});

		test('offers the code by e-mail where an address is known', async () => {
			const { nodes } = readExample(name);
			const { assignments } = nodes.find((node) => node.name === 'Known address')?.parameters ?? {};
			const known = structuredClone(assignments) as {
				assignments: Array<{ name: string; value: string }>;
			};
			for (const field of known.assignments) {
				if (field.name === 'email') field.value = 'aye@example.com';
			}
			const visitor = await begin('09791234567', { 'Known address': { assignments: known } });
			await choose(visitor, 'Send it by e-mail instead');
			expect(visitor.html).toContain('We have sent a new code to aye@example.com');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your e-mail address is verified.');
		});
	});

	describe('otp-by-email', () => {
		const submit = async (visitor: FormVisitor, value: string) => {
			await visitor.submit({ 'field-0': value });
			expectForVisitors(visitor);
		};
		const begin = async (address: string) => {
			const visitor = await bench.visit('otp-by-email');
			await submit(visitor, address);
			return visitor;
		};

		test('verifies an e-mail address', async () => {
			const visitor = await begin('aye@example.com');
			expect(bench.sandbox.codes()).toMatchObject([{ channel: 'EMAIL', to: 'aye@example.com' }]);
			expect(bench.sandbox.codes()[0].message).toContain(`<b>${lastCode()}</b>`);
			expect(lastCode()).toMatch(/^\d{6}$/);
			await submit(visitor, lastCode());
			expect(visitor.html).toContain('Your e-mail address is verified.');
		});

		test('gives five tries', async () => {
			const visitor = await begin('aye@example.com');
			for (let attempt = 0; attempt < 4; attempt += 1) {
				await submit(visitor, wrongCode());
				expect(visitor.html).toContain('That code is wrong or has expired.');
			}
			await submit(visitor, lastCode());
			expect(visitor.html).toContain('Your e-mail address is verified.');
		});

		test('ends after five wrong codes', async () => {
			const visitor = await begin('aye@example.com');
			for (let attempt = 0; attempt < 5; attempt += 1) await submit(visitor, wrongCode());
			expect(visitor.html).toContain('These were too many wrong codes.');
		});

		test('says that the code could not be sent', async () => {
			const visitor = await begin('refused@example.com');
			expect(visitor.html).toContain('Codes cannot be sent just now.');
		});

		test('asks for another address when one cannot be right', async () => {
			const visitor = await begin('aye@example');
			expect(visitor.html).toContain('Please check the address');
			await submit(visitor, 'aye@example.com');
			expect(visitor.html).toContain('We have sent a code to aye@example.com');
		});

		test('asks to wait where a code was sent a moment ago', async () => {
			const open = await bench.publishForm('otp-by-email');
			for (const seen of [/We have sent a code/, pause]) {
				const next = await open();
				await submit(next, 'aye@example.com');
				expect(next.html).toMatch(seen);
			}
		});
	});

	describe('sign-in-webhook', () => {
		const phone = '09791234567';
		const call = async (path: string, body: object, headers: object = {}) => {
			const key = { [websiteKey.name]: websiteKey.value, ...headers };
			const { status, data } = await callWebhook(bench.n8n.api, `sign-in/${path}`, {
				body,
				headers: key,
			});
			return { status, data };
		};
		beforeEach(async () => void (await bench.activate('sign-in-webhook')));

		test('sends a code and lets in with it', async () => {
			const sent = await call('request-code', { phone });
			expect(sent).toMatchObject({ status: 200, data: { requestId: expect.any(Number) } });
			const { requestId } = sent.data;
			const verified = { verified: true, to: '959791234567' };
			expect(await call('verify-code', { requestId, phone, code: lastCode() })).toEqual({
				status: 200,
				data: verified,
			});
		});

		test('writes the code so that the browser of the phone can fill it in', async () => {
			await call('request-code', { phone });
			const [{ message, maxInvalidAttempts }] = bench.sandbox.codes();
			expect(message.split('\n').at(-1)).toBe(`@shop.example.com #${lastCode()}`);
			expect(lastCode()).toMatch(/^\d{6}$/);
			expect(maxInvalidAttempts).toBe(5);
		});

		test.each(['request-code', 'verify-code'])(
			'answers nobody without the key: %s',
			async (path) => {
				const stranger = { [websiteKey.name]: 'guessed' };
				expect(await call(path, { phone }, stranger)).toMatchObject({ status: 403 });
				expect(requests()).toEqual([]);
			},
		);

		test('answers 401 to a wrong code, and to a code that was used', async () => {
			const { data } = await call('request-code', { phone });
			const { requestId } = data;
			const rejected = { status: 401, data: { verified: false } };
			expect(await call('verify-code', { requestId, phone, code: wrongCode() })).toEqual(rejected);
			await call('verify-code', { requestId, phone, code: lastCode() });
			expect(await call('verify-code', { requestId, phone, code: lastCode() })).toEqual(rejected);
		});

		test.each(['09791234568', '', undefined, '+6591234567'])(
			'answers 401 when the code was sent to another number than %j',
			async (other) => {
				const { data } = await call('request-code', { phone });
				const typed = { requestId: data.requestId, phone: other, code: lastCode() };
				expect(await call('verify-code', typed)).toEqual({
					status: 401,
					data: { verified: false },
				});
			},
		);

		test('answers 400 to input that cannot be right, in words for programs', async () => {
			expect(await call('request-code', { phone: 'none' })).toEqual({
				status: 400,
				data: { sent: false, reason: 'number' },
			});
			expect(await call('request-code', { phone: '+6591234567' })).toEqual({
				status: 400,
				data: { sent: false, reason: 'abroad' },
			});
			expect(await call('verify-code', { requestId: 1, phone })).toEqual({
				status: 400,
				data: { verified: false, reason: 'input' },
			});
		});

		test('answers 429, and how long to wait, to whoever asks too soon', async () => {
			await call('request-code', { phone });
			const { status, data } = await call('request-code', { phone });
			expect({ status, data }).toEqual({
				status: 429,
				data: { sent: false, reason: 'wait', retryAfterSeconds: expect.any(Number) },
			});
			expect(bench.sandbox.codes()).toHaveLength(1);
		});

		test('answers 503 while the service cannot be asked', async () => {
			bench.sandbox.addFault({ match: { path: '/otp/*' }, effect: { status: 500 } });
			expect(await call('request-code', { phone })).toEqual({
				status: 503,
				data: { sent: false, reason: 'unavailable' },
			});
			const typed = { requestId: 123456789, phone, code: '1234' };
			expect(await call('verify-code', typed)).toEqual({
				status: 503,
				data: { verified: false, reason: 'unavailable' },
			});
		});
	});
});

/** The example counts in slots of 10 minutes. */
const slotMs = 600_000;
const hasRedis = !missingPrograms.includes('redis-server');

(hasRedis ? describe : describe.skip)('otp-limits-in-redis', () => {
	let redis: Server;
	let bench: ExampleBench;
	beforeAll(async () => {
		redis = await startRedis();
		const data = { host: '127.0.0.1', port: redis.port, password: '', database: 0, ssl: false };
		bench = await ExampleBench.open({ httpHeaderAuth: websiteKey, redis: data });
	});
	afterAll(async () => {
		await bench?.close();
		await redis?.close();
	});

	test('sends five codes to a number in 10 minutes, however it is written and however many ask at once', async () => {
		// The limit of the process is off, so that Redis alone counts.
		const options = { pauseSeconds: 0, maxPerRecipient: 0 };
		await bench.activate('otp-limits-in-redis', { 'Send code': { options } });
		const left = slotMs - (Date.now() % slotMs);
		if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left));
		const headers = { [websiteKey.name]: websiteKey.value };
		const ask = async (phone: string) =>
			await callWebhook(bench.n8n.api, 'codes/request', { body: { phone }, headers });
		await ask('09791111111');
		const notations = ['09791234567', '+959791234567', '959-791-234-567', '09 791 234 567'];
		const callers = Array.from({ length: 40 }, (_, n) => notations[n % notations.length]);
		const answers = await Promise.all(callers.map(ask));
		const statuses = answers.map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(5);
		expect(statuses.filter((status) => status === 429)).toHaveLength(35);
		expect(answers.find(({ status }) => status === 429)?.data).toEqual({
			sent: false,
			reason: 'wait',
			retryAfterSeconds: expect.any(Number),
		});
		const sent = bench.sandbox.codes().filter(({ to }) => to === '959791234567');
		expect(sent).toHaveLength(5);
	});
});
