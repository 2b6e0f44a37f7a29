import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { forBuilders, type FormVisitor } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const pause = /Please wait ([1-9]|[12]\d|30) seconds/;

sinceN8n2('forms as the examples use them').describe('the examples with one-time codes', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const lastCode = () => runner.sandbox.codes().at(-1)?.code ?? '';
	const wrongCode = () => (lastCode().startsWith('1') ? '222222' : '111111');
	const requests = () => runner.sandbox.requests().map(({ path }) => path);
	const expectForVisitors = ({ text }: FormVisitor) => {
		expect(text).not.toMatch(forBuilders);
	};

	/** An example with other limits, which are not what the test is about. */
	const withoutPause = (name: string) => {
		const { nodes } = readExample(name);
		const { options } = nodes.find((node) => node.name === 'Send code')?.parameters ?? {};
		return { 'Send code': { options: { ...(options as object), pauseSeconds: 0 } } };
	};

	describe('otp-on-a-form-complete', () => {
		const name = 'otp-on-a-form-complete';
		const choose = async (visitor: FormVisitor, action: string, code = '') => {
			await visitor.submit({ 'field-0': code, 'field-1': JSON.stringify([action]) });
			expectForVisitors(visitor);
		};
		const check = async (visitor: FormVisitor, code: string) =>
			await choose(visitor, 'Check this code', code);
		const askAgain = async (visitor: FormVisitor) => await choose(visitor, 'Send me a new code');
		const begin = async (number = '09791234567', changes = {}) => {
			const visitor = await runner.visit(name, changes);
			expect(visitor.html).toContain('Verify your phone number');
			await visitor.submit({ 'field-0': number });
			expectForVisitors(visitor);
			return visitor;
		};

		test('verifies a visitor who types the code', async () => {
			const visitor = await begin();
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			expect(visitor.html).toContain('Your number: 09791234567');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(runner.sandbox.codes()).toMatchObject([{ state: 'verified', maxInvalidAttempts: 5 }]);
			expect(lastCode()).toMatch(/^\d{6}$/);
		});

		test('allows another attempt after a wrong code', async () => {
			const visitor = await begin();
			await check(visitor, wrongCode());
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('sends a new code on demand, says so, and accepts only that one', async () => {
			const visitor = await begin('09791234567', withoutPause(name));
			const firstCode = lastCode();
			await askAgain(visitor);
			expect(visitor.html).toContain('We have sent a new code to 959791234567.');
			expect(visitor.html).toContain('Earlier codes no longer work.');
			expect(runner.sandbox.codes()).toHaveLength(2);
			await check(visitor, firstCode);
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(runner.sandbox.codes()).toMatchObject([{ verifiedAt: null }, { state: 'verified' }]);
		});

		test('asks to wait before a new code, and still accepts the one that was sent', async () => {
			const visitor = await begin();
			await askAgain(visitor);
			expect(visitor.html).toMatch(pause);
			expect(runner.sandbox.codes()).toHaveLength(1);
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('is not to be tricked into more codes by opening it again', async () => {
			const open = await runner.publishForm(name);
			for (let visit = 0; visit < 4; visit += 1) {
				const visitor = await open();
				await visitor.submit({ 'field-0': '09791234567' });
				expect(visitor.html).toMatch(visit === 0 ? /We have sent a code/ : pause);
				expectForVisitors(visitor);
				if (visit > 0) await visitor.submit({});
				if (visit > 0) expect(visitor.html).toMatch(/Please wait \d\d seconds/);
			}
			expect(runner.sandbox.codes()).toHaveLength(1);
		});

		test('ends after five wrong codes', async () => {
			const visitor = await begin();
			for (let attempt = 0; attempt < 5; attempt += 1) await check(visitor, wrongCode());
			expect(visitor.html).toContain('Too many incorrect codes.');
		});

		test('asks again for a code without digits, which uses no attempt', async () => {
			const visitor = await begin();
			for (const typed of ['', 'abcdef', 'code 4271O9', '12', 'my code', '0427 or 0428']) {
				await check(visitor, typed);
				expect(visitor.html).toContain('Please enter the code that we sent you.');
			}
			expect(requests()).toEqual(['/api/otp/request']);
			await check(visitor, `G-${lastCode()}`);
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('asks again for a number that is wrong, and reads one without its 0', async () => {
			const visitor = await begin('12');
			expect(visitor.html).toContain('Please check the number');
			await visitor.submit({ 'field-0': 'aye@example.com' });
			await visitor.submit({ 'field-0': '9791234567' });
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(runner.sandbox.codes()).toHaveLength(1);
		});

		test('verifies nobody while the service cannot check codes', async () => {
			const visitor = await begin();
			runner.sandbox.addFault({
				match: { path: '/otp/verify' },
				effect: { status: 500 },
				count: 1,
			});
			await check(visitor, lastCode());
			expect(visitor.html).toContain('The code could not be checked just now.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('does not call a code wrong that a lost check may have used up', async () => {
			const visitor = await begin();
			const match = { path: '/otp/verify' };
			runner.sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
			await check(visitor, lastCode());
			expect(visitor.html).toContain('The code could not be checked just now.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('We cannot tell whether that code is right');
		});

		test('says that a number is abroad, and asks for another one', async () => {
			const visitor = await begin('+6591234567');
			expect(visitor.html).toContain('We cannot send codes to this number');
			expect(visitor.html).toContain('Myanmar');
			expect(requests()).toEqual([]);
			await visitor.submit({ 'field-0': '09791234567' });
			expect(visitor.html).toContain('We have sent a code to 959791234567');
		});

		/** The changes with which the example knows the visitor's address. */
		const knowAddress = () => {
			const { nodes } = readExample(name);
			const { assignments } = nodes.find((node) => node.name === 'Known address')?.parameters ?? {};
			const known = structuredClone(assignments) as {
				assignments: Array<{ name: string; value: string }>;
			};
			for (const field of known.assignments) {
				if (field.name === 'email') field.value = 'aye@example.com';
			}
			return { 'Known address': { assignments: known } };
		};

		test('sends the code by email where an address is known, and shows it to nobody before', async () => {
			const visitor = await begin('09791234567', knowAddress());
			await choose(visitor, 'Send it by email instead');
			expect(visitor.html).not.toContain('aye@');
			const [sms, email] = runner.sandbox.codes();
			expect(sms.message).toBe(`${sms.code} is your MyShop code. Don't share it.`);
			expect(email.message).toContain(`<b>${email.code}</b>`);
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your email address a•••@example.com is verified.');
		});

		test('shows everybody the same pages, customers and others, however often they ask', async () => {
			const seen: string[][] = [];
			for (const changes of [{}, knowAddress()]) {
				const visitor = await begin(`0979123456${seen.length}`, changes);
				const pages = [visitor.text];
				for (const code of ['', '111111x']) {
					await choose(visitor, 'Send it by email instead');
					pages.push(visitor.text);
					await check(visitor, code);
					pages.push(visitor.text);
				}
				seen.push(pages.map((page) => page.replace(/\d{6,}/g, 'NUMBER').replace(/\s+/g, ' ')));
				await runner.reset();
			}
			expect(seen[0][1]).toContain('If we know an email address for this number');
			expect(seen[1]).toEqual(seen[0]);
		});

		test('goes on with another number, and proves only that one', async () => {
			const visitor = await begin();
			const firstCode = lastCode();
			await choose(visitor, 'Use another number');
			expect(visitor.html).toContain('Enter another number');
			await visitor.submit({ 'field-0': '09792222222' });
			expect(visitor.html).toContain('Your number: 09792222222');
			expect(visitor.html).toContain('We have sent a new code to 959792222222');
			await check(visitor, firstCode);
			expect(visitor.html).toContain('That code is wrong or has expired.');
			await check(visitor, lastCode());
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('does not offer the code of one number for another one', async () => {
			const open = await runner.publishForm(name);
			const other = await open();
			await other.submit({ 'field-0': '09792222222' });
			const visitor = await open();
			await visitor.submit({ 'field-0': '09791234567' });
			await choose(visitor, 'Use another number');
			await visitor.submit({ 'field-0': '09792222222' });
			expect(visitor.html).toMatch(pause);
			expect(visitor.html).not.toContain('still works');
		});
	});

	/** Its limit per hour counts for all visitors. */
	test.each([
		[
			'otp-on-a-form',
			['0959123456', '09791234567,09791234568', 'x'.repeat(100_000), '+6591234567'],
		],
		['otp-on-a-form-complete', ['0959123456', '09791234567\n09791234568', 'aye@example.com']],
	])('%s sends a code to a visitor after others typed what it cannot use', async (name, typed) => {
		const open = await runner.publishForm(name, {
			'Send code': { options: { channel: 'sms', maxPerHour: 1 } },
		});
		for (const text of typed) await (await open()).submit({ 'field-0': text });
		expect(requests()).toEqual([]);
		const visitor = await open();
		await visitor.submit({ 'field-0': '09791234567' });
		expect(visitor.html).toContain('We have sent a code to');
	});

	describe('otp-on-a-form', () => {
		const begin = async (number: string) => {
			const visitor = await runner.visit('otp-on-a-form');
			await visitor.submit({ 'field-0': number });
			expectForVisitors(visitor);
			return visitor;
		};

		test('has twelve nodes, and verifies a visitor who types the code', async () => {
			const { nodes } = readExample('otp-on-a-form');
			expect(nodes.filter(({ type }) => !type.endsWith('.stickyNote'))).toHaveLength(12);
			const visitor = await begin('09791234567');
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('lets a visitor correct the code, says how often, and buys no other code', async () => {
			const visitor = await begin('09791234567');
			for (const left of [4, 3, 2, 1]) {
				await visitor.submit({ 'field-0': wrongCode() });
				expectForVisitors(visitor);
				expect(visitor.html).toContain(`That code is wrong. Attempts left: ${left}`);
			}
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your phone number is verified.');
			expect(runner.sandbox.codes()).toHaveLength(1);
		});

		test('asks again for a code without digits, which uses no attempt', async () => {
			const visitor = await begin('+95 09791234567');
			for (const typed of ['abcdef', 'code 4271O9', '12', 'my code', '0427 or 0428']) {
				await visitor.submit({ 'field-0': typed });
				expect(visitor.html).toContain('Please enter the digits of the code. Attempts left: 5');
			}
			expect(requests()).toEqual(['/api/otp/request']);
			await visitor.submit({ 'field-0': `${lastCode()} is your MyShop code.` });
			expect(visitor.html).toContain('Your phone number is verified.');
		});

		test('ends after five wrong codes', async () => {
			const visitor = await begin('09791234567');
			for (let attempt = 0; attempt < 5; attempt += 1)
				await visitor.submit({ 'field-0': wrongCode() });
			expect(visitor.html).toContain('That code is wrong. Please open the form again');
		});

		test.each([
			['12', 'This is not a mobile number.'],
			['aye@example.com', 'This is not a mobile number.'],
			['+6591234567', 'We cannot send codes to this country.'],
		])('says why a code cannot be sent to %s', async (number, sentence) => {
			const visitor = await begin(number);
			expect(visitor.html).toContain(sentence);
			expect(requests()).toEqual([]);
		});

		test('verifies nobody while the service cannot check codes', async () => {
			const visitor = await begin('09791234567');
			runner.sandbox.addFault({ match: { path: '/otp/verify' }, effect: { status: 500 } });
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('The code could not be checked just now.');
			expect(visitor.html).not.toContain('is verified');
		});
	});
});
