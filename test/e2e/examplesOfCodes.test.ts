import { breakNode, ExampleRunner, faults, withOwnTables } from '../support/e2e/ExampleRunner';
import { forBuilders, FormVisitor } from '../support/e2e/visitForm';
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

		test('saves the number of a visitor who types the code', async () => {
			const visitor = await begin('09791234567');
			expect(visitor.html).toContain('We have sent a code to 959791234567');
			await visitor.submit({ 'field-0': lastCode() });
			expect(visitor.html).toContain('Your phone number is verified.');
			const saved = await readRows(runner, 'Verified numbers (example 02)');
			expect(saved).toMatchObject([{ phone: '959791234567' }]);
		});

		test.each([
			...['/otp/request', '/otp/verify', 'Table'].map((step) => [step, faults[0]]),
			...faults.map((fault) => ['Save the number', fault]),
		])(
			'shows a visitor nothing of another one, and verifies nobody unsaved, where %s fails: %s',
			async (step, fault) => {
				const example = withOwnTables('otp-on-a-form');
				breakNode(example, step, `$('Send code').first().json.to === '959791234568'`, fault);
				const { id, nodes } = await runner.activate(example);
				const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')?.webhookId;
				const open = async () => await FormVisitor.open(runner.n8n.url, form ?? '');
				const [first, second] = [await open(), await open()];
				await first.submit({ 'field-0': '09791112223' });
				const code = lastCode();
				runner.sandbox.addFault({ match: { path: step }, effect: { status: 500 } });
				await second.submit({ 'field-0': '09791234568' });
				if (step !== '/otp/request') await second.submit({ 'field-0': lastCode() });
				expect(second.html).not.toMatch(/9791112223|is verified/);
				expect(second.html).toMatch(/(cannot send codes|could not be checked) just now/);
				runner.sandbox.clearFaults();
				await first.submit({ 'field-0': code });
				expect(first.html).toContain('Your phone number is verified.');
				if (step.startsWith('/')) return;
				const executions = await runner.n8n.api.finishedExecutions(id, 2);
				const [failed] = executions.filter(({ error }) => error);
				expect(failed.saved).toContain('A verified number could not be saved: 959791234568');
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
	});
});
