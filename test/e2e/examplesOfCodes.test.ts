import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { forBuilders, type FormVisitor } from '../support/e2e/visitForm';
import { readRows } from '../support/e2e/dataTables';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

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

	/** Its limit per hour counts for all visitors. */
	test('otp-on-a-form sends a code to a visitor after others typed what it cannot use', async () => {
		const typed = ['0959123456', '09791234567,09791234568', 'x'.repeat(100_000), '+6591234567'];
		const open = await runner.publishForm('otp-on-a-form', {
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

		test('has fifteen nodes, and saves the number of a visitor who types the code', async () => {
			const { nodes } = readExample('otp-on-a-form');
			expect(nodes.filter(({ type }) => !type.endsWith('.stickyNote'))).toHaveLength(15);
			const visitor = await begin('09791234567');
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your phone number is verified.');
			const saved = await readRows(runner, 'Verified numbers (example 02)');
			expect(saved).toMatchObject([{ phone: '959791234567' }]);
		});

		test('tells nobody that they are verified while the number cannot be saved', async () => {
			const dataTableId = { __rl: true, mode: 'name', value: 'no such table' };
			const visitor = await runner.visit('otp-on-a-form', { 'Save the number': { dataTableId } });
			await visitor.submit({ 'field-0': '09791234567' });
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('The code could not be checked just now.');
		});

		test.each(['/otp/request', '/otp/verify', 'Save the number'])(
			'shows a visitor nothing of another one where %s fails',
			async (failing) => {
				const broken = (whole: string) =>
					`={{ $('Send code').first().json.to === '959791234568' ? '' : ${whole} }}`;
				const value = broken("$('Table').first().json.id");
				const open = await runner.publishForm('otp-on-a-form', {
					...(failing === 'Save the number' && {
						'Save the number': { dataTableId: { __rl: true, mode: 'id', value } },
					}),
				});
				const [first, second] = [await open(), await open()];
				await first.submit({ 'field-0': '09791112223' });
				const code = lastCode();
				if (failing.startsWith('/'))
					runner.sandbox.addFault({ match: { path: failing }, effect: { status: 500 } });
				await second.submit({ 'field-0': '09791234568' });
				if (failing !== '/otp/request') await second.submit({ 'field-0': lastCode() });
				expect(second.html).not.toMatch(/9791112223|is verified/);
				runner.sandbox.clearFaults();
				await first.submit({ 'field-0': code });
				expect(first.html).toContain('Your phone number is verified.');
			},
		);

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
