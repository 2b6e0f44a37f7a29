import { ExampleBench } from './examples/ExampleBench';
import type { FormVisitor } from './examples/visitForm';
import { callWebhook } from './harness';

describe('the examples with one-time codes', () => {
	let bench: ExampleBench;
	beforeAll(async () => {
		bench = await ExampleBench.open();
	});
	beforeEach(async () => await bench.reset());
	afterAll(async () => await bench?.close());

	const lastCode = () => bench.sandbox.codes().at(-1)?.code ?? '';
	const wrongCode = () => (lastCode().startsWith('1') ? '222222' : '111111');

	describe('otp-on-a-form', () => {
		const check = async (visitor: FormVisitor, code: string) =>
			await visitor.submit({ 'field-0': code, 'field-1': '["Check this code"]' });
		const askAgain = async (visitor: FormVisitor) =>
			await visitor.submit({ 'field-0': '', 'field-1': '["Send me a new code"]' });
		const begin = async (number = '09791234567') => {
			const visitor = await bench.visit('otp-on-a-form');
			expect(visitor.html).toContain('Verify your phone number');
			await visitor.submit({ 'field-0': number });
			return visitor;
		};

		test('verifies a visitor who types the code', async () => {
			const visitor = await begin();
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(bench.sandbox.codes()).toMatchObject([{ state: 'verified' }]);
		});

		test('gives a second try after a wrong code', async () => {
			const visitor = await begin();
			await check(visitor, wrongCode());
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('sends a new code on demand, and takes only that one', async () => {
			const visitor = await begin();
			const firstCode = lastCode();
			await askAgain(visitor);
			expect(bench.sandbox.codes()).toHaveLength(2);
			await check(visitor, firstCode);
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(bench.sandbox.codes()).toMatchObject([{ verifiedAt: null }, { state: 'verified' }]);
		});

		test('sends three codes at most', async () => {
			const visitor = await begin();
			for (let demand = 0; demand < 3; demand += 1) await askAgain(visitor);
			expect(visitor.html).toContain('No more codes');
			expect(bench.sandbox.codes()).toHaveLength(3);
		});

		test('ends after five wrong codes', async () => {
			const visitor = await begin();
			for (let attempt = 0; attempt < 5; attempt += 1) await check(visitor, wrongCode());
			expect(visitor.html).toContain('These were too many wrong codes.');
		});

		test('asks for the code when the visitor typed none', async () => {
			const visitor = await begin();
			await check(visitor, '');
			expect(visitor.html).toContain('Please type the code from the SMS.');
			expect(bench.sandbox.requests().map(({ path }) => path)).toEqual(['/api/otp/request']);
		});

		test('lets nobody in while the service cannot check codes', async () => {
			const visitor = await begin();
			bench.sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 }, count: 1 });
			await check(visitor, lastCode());
			expect(visitor.html).toContain('The code could not be checked just now.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('says what is wrong with a number before anything is sent', async () => {
			const visitor = await begin('12');
			expect(visitor.html).toContain('The code could not be sent');
			expect(visitor.html).toContain('check the number');
			expect(bench.sandbox.requests()).toEqual([]);
		});
	});

	describe('otp-by-email', () => {
		const begin = async (address: string) => {
			const visitor = await bench.visit('otp-by-email');
			await visitor.submit({ 'field-0': address });
			return visitor;
		};

		test('verifies an e-mail address', async () => {
			const visitor = await begin('aye@example.com');
			expect(bench.sandbox.codes()).toMatchObject([{ channel: 'EMAIL', to: 'aye@example.com' }]);
			expect(bench.sandbox.codes()[0].message).toContain(`<b>${lastCode()}</b>`);
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your e-mail address is verified.');
		});

		test('rejects a wrong code', async () => {
			const visitor = await begin('aye@example.com');
			await visitor.submit({ 'field-0': '00' });
			expect(visitor.html).toContain('The code is wrong or has expired.');
		});

		test('says that the code could not be sent', async () => {
			const visitor = await begin('refused@example.com');
			expect(visitor.html).toContain('The code could not be sent');
		});
	});

	describe('sign-in-webhook', () => {
		const call = async (path: string, body: object) => {
			const { status, data } = await callWebhook(bench.n8n.api, `sign-in/${path}`, { body });
			return { status, data };
		};
		beforeEach(async () => void (await bench.activate('sign-in-webhook')));

		test('sends a code and lets in with it', async () => {
			const sent = await call('request-code', { phone: '09791234567' });
			expect(sent).toMatchObject({ status: 200, data: { requestId: expect.any(Number) } });
			const { requestId } = sent.data;
			const verified = { verified: true, to: '959791234567' };
			expect(await call('verify-code', { requestId, code: lastCode() })).toEqual({
				status: 200,
				data: verified,
			});
		});

		test('answers 401 to a wrong code, and to a code that was used', async () => {
			const { data } = await call('request-code', { phone: '09791234567' });
			const { requestId } = data;
			const rejected = { status: 401, data: { verified: false } };
			expect(await call('verify-code', { requestId, code: wrongCode() })).toEqual(rejected);
			await call('verify-code', { requestId, code: lastCode() });
			expect(await call('verify-code', { requestId, code: lastCode() })).toEqual(rejected);
		});

		test('answers 400 to input that cannot be right', async () => {
			expect(await call('request-code', { phone: 'none' })).toMatchObject({ status: 400 });
			expect(await call('verify-code', { requestId: 1 })).toMatchObject({
				status: 400,
				data: { verified: false },
			});
		});

		test('answers 503 while the service cannot be asked', async () => {
			bench.sandbox.addFault({ match: { path: '/otp/*' }, effect: { status: 500 } });
			expect(await call('request-code', { phone: '09791234567' })).toMatchObject({ status: 503 });
			expect(await call('verify-code', { requestId: 123456789, code: '1234' })).toMatchObject({
				status: 503,
				data: { verified: false },
			});
		});
	});
});
