import { describeRun } from '../../tools/harness';
import { until } from '../../scripts/n8n/until';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { linkIn, open, press } from '../support/e2e/questions';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const owner = '959790000001';
const customer = '959791234567';

describe('examples that ask a person by SMS', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const textsTo = (number: string, { sandbox } = runner) =>
		sandbox.messages().flatMap(({ to, message }) => (to === number ? [message] : []));
	const asleep = async (workflowId: string) => {
		const { api } = runner.n8n;
		const find = async () => (await api.executions(workflowId))[0]?.id;
		const id = await until(find, { what: 'the execution' });
		expect((await api.finishedExecution(id, ['waiting'])).status).toBe('waiting');
		return id;
	};

	describe('refund-approval', () => {
		const ask = async (headers: object = { [websiteKey.name]: websiteKey.value }) => {
			const { id } = await runner.activate('refund-approval');
			const body = { order: '1234', amount: 45000, phone: '09791234567' };
			const request = { body, headers: { ...headers } };
			const { status } = await runner.call('refunds/ask', request);
			return { id, status };
		};

		test.each([
			['approve', 'Refund it', 'We have refunded 45,000 MMK for your order 1234.'],
			['decline', 'Tell the customer no', 'We cannot refund your order 1234. Please call us.'],
		])('on %s goes to %s, and tells the customer', async (response, ran, told) => {
			const { id, status } = await ask();
			expect(status).toBe(200);
			const executionId = await asleep(id);
			expect(textsTo(owner)).toEqual([
				expect.stringMatching(/^Refund 45,000 MMK to order 1234\?\nhttp/),
			]);
			expect(runner.sandbox.messages()[0].messageCount).toBeLessThanOrEqual(3);
			const { data } = await open(linkIn(runner.sandbox));
			for (const words of ['Refund of order 1234', 'Don&#39;t refund'])
				expect(data).toContain(words);
			await press(linkIn(runner.sandbox), { response });
			const { error, json } = describeRun(id, await runner.n8n.api.finishedExecution(executionId));
			expect(error).toBeUndefined();
			expect(Object.keys(json)).toContain(ran);
			expect('Refund it' in json).toBe(response === 'approve');
			expect(textsTo(customer)).toEqual([told]);
		});

		test('asks nobody without the key', async () => {
			expect((await ask({})).status).toBe(403);
			expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
		});
	});
});
