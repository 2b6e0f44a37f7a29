import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const name = 'check-your-account';
const number = '09791234567';

sinceN8n2('forms as the examples use them').describe('the check of an account', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const lastCode = () => runner.sandbox.codes().at(-1)?.code ?? '';
	const check = async () => {
		const visitor = await runner.visitFromEditor(name);
		await visitor.submit({ 'field-0': number });
		return visitor;
	};

	test('check-your-account shows that everything works, and costs one code', async () => {
		const before = runner.sandbox.balance().balance;
		const visitor = await check();
		expect(visitor.text).toContain('Works: Balance, 1000000 MMK.');
		await visitor.submit({ 'field-0': lastCode() });
		expect(visitor.text).toContain('Everything works');
		for (const step of ['Balance', 'Test message', 'Message history', 'Code', 'Code check']) {
			expect(visitor.text).toContain(`Works: ${step}, `);
		}
		expect(visitor.text).not.toContain('Fails');
		expect(runner.sandbox.messages()).toMatchObject([{ test: true, price: 0 }]);
		expect(runner.sandbox.codes()).toMatchObject([{ state: 'verified' }]);
		expect(runner.sandbox.balance().balance).toBe(before - 20);
	});

	test('a wrong code fails alone', async () => {
		const visitor = await check();
		await visitor.submit({ 'field-0': lastCode().startsWith('1') ? '222222' : '111111' });
		expect(visitor.text).toContain('Not everything works yet');
		expect(visitor.text.match(/Fails: [^.]+/g)).toEqual(['Fails: Code check']);
	});

	test('a sender ID that is not registered is named, and the rest is checked', async () => {
		runner.sandbox.configure({ knownSenders: ['Other'] });
		const { text } = await check();
		expect(text).toContain('Not everything works yet');
		expect(text).toMatch(/Fails: Test message\. [^\n]*Sender ID/);
		expect(text).toMatch(/Fails: Code\. /);
		expect(text).toContain('Works: Balance');
		expect(text).toContain('Works: Message history');
	});

	test('a wrong key says what to correct, five seconds after the click', async () => {
		runner.sandbox.configure({ credentials: [{ apiKey: 'other', apiSecret: 'other' }] });
		const { text } = await check();
		expect(text.match(/Fails: /g)).toHaveLength(4);
		expect(text).toMatch(/credential/i);
	});

	test('sends nothing for a stranger, should it be published', async () => {
		const visitor = await runner.visit(name);
		await visitor.submit({ 'field-0': number });
		expect(visitor.text).toContain('This page is closed');
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
