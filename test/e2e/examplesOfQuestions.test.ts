import { describeRun } from '../../tools/harness';
import { until } from '../../scripts/n8n/until';
import { ExampleRunner, formLogin, withOwnTables } from '../support/e2e/ExampleRunner';
import { readRows } from '../support/e2e/dataTables';
import { linkIn, open, press } from '../support/e2e/questions';
import { FormVisitor } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

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
			['approve', 'Refund it', 'သင့်အော်ဒါ 1234 အတွက် 45,000 ကျပ် ပြန်အမ်းပြီးပါပြီ။'],
			[
				'decline',
				'Tell the customer no',
				'သင့်အော်ဒါ 1234 အတွက် ငွေပြန်အမ်း၍ မရပါ။ ဖုန်းဆက်ပေးပါ။',
			],
		])('on %s goes to %s, and tells the customer', async (response, ran, told) => {
			const { id, status } = await ask();
			expect(status).toBe(200);
			const executionId = await asleep(id);
			expect(textsTo(owner)).toEqual([
				expect.stringMatching(/^အော်ဒါ 1234 အတွက် 45,000 ကျပ် ပြန်အမ်းမည်လား။\nhttp/),
			]);
			expect(runner.sandbox.messages()[0].messageCount).toBeLessThanOrEqual(4);
			const { data } = await open(linkIn(runner.sandbox));
			for (const words of ['lang="my"', 'အော်ဒါ 1234 အတွက် 45,000 ကျပ်', 'ပြန်မအမ်းပါ'])
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

	sinceN8n2('sub-workflow that waits').describe('ask-many-people', () => {
		const name = 'ask-many-people';
		const list = (rows: string[][]) =>
			new File(
				[[['phone', 'name'], ...rows].map((row) => row.join(',')).join('\n')],
				'guests.csv',
				{
					type: 'text/csv',
				},
			);
		const publish = async () => {
			const example = withOwnTables(name);
			const { id, nodes } = await runner.activate(example);
			const start = async (node: string, typed = {}) => {
				const form = nodes.find((one) => one.name === node);
				const visitor = await FormVisitor.open(runner.n8n.url, form?.webhookId ?? '', formLogin);
				await visitor.submit(typed);
				return visitor;
			};
			const upload = async (rows: string[][]) =>
				await start('Upload a file', { 'field-0': list(rows) });
			const askAgain = async () => await start('Ask again');
			const created = example.nodes.find(({ name: node }) => node === 'Questions');
			const answers = async () =>
				(await readRows(runner, String(created?.parameters.tableName))).map((row) => [
					row.phone,
					row.name,
					row.answer,
				]);
			return { id, upload, askAgain, answers };
		};
		const linksTo = (phone: string) =>
			textsTo(`95${phone.slice(1)}`).map((text) => String(/\S+$/.exec(text)?.[0]));

		test('keeps a row for each child, asks all at once, and shows who has not answered', async () => {
			const { id, upload, askAgain, answers } = await publish();
			const visitor = await upload([
				['09791234567', 'Aye'],
				['09791234567', 'Bo'],
				['0979', 'Wrong'],
				['09791234568', 'မောင်မောင်အေး'],
			]);
			expect(visitor.text).toMatch(/Row 4 \(Wrong, 0979\)/);
			expect(runner.sandbox.messages()).toEqual([]);
			await visitor.submit({ 'field-0': JSON.stringify(['Ask them']) });
			expect(visitor.text).toContain('3 people are being asked');
			// n8n refuses a press before it has saved that the execution waits.
			const isAsked = async () => {
				const waiting = (await runner.n8n.api.executions(id)).filter(
					({ status }) => status === 'waiting',
				);
				return waiting.length === 3 ? true : undefined;
			};
			await until(isAsked, { what: 'all questions, before anybody has answered' });
			const [first, second] = linksTo('09791234567');
			await press(second, { response: '1' });
			await press(first, { response: '0' });
			const isAnswered = async () => {
				const rows = await answers();
				return rows.filter(([, , answer]) => answer !== 'asked').length === 2 ? rows : undefined;
			};
			const rows = await until(isAnswered, { what: 'two answers' });
			expect(rows.filter(([, , answer]) => answer === 'asked')).toEqual([
				['+959791234568', 'မောင်မောင်အေး', 'asked'],
			]);
			expect(rows.slice(0, 2).map(([, , answer]) => answer)).toEqual(
				expect.arrayContaining(["I'll come", "I can't come"]),
			);
			const before = runner.sandbox.messages().length;
			const again = await askAgain();
			await again.submit({ 'field-0': JSON.stringify(['Ask them']) });
			expect(again.text).toContain('1 people are being asked');
			const isSent = async () => runner.sandbox.messages()[before];
			expect(await until(isSent, { what: 'the second question' })).toMatchObject({
				to: '959791234568',
			});
			expect(await answers()).toHaveLength(3);
		});

		test('does not call a question unasked that may have been sent', async () => {
			const { upload, answers } = await publish();
			const visitor = await upload([['09791234568', 'Cho']]);
			const match = { path: '/rest/send', contains: '959791234568' };
			runner.sandbox.addFault({ match, when: 'after', effect: 'cut' });
			runner.sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
			await visitor.submit({ 'field-0': JSON.stringify(['Ask them']) });
			const isTold = async () =>
				(await answers()).find(([, , answer]) => answer !== 'asked') ?? undefined;
			const [, , told] = await until(isTold, { what: 'the reason' });
			expect(told).toMatch(/^may have been asked: .*may have been sent/);
			expect(runner.sandbox.messages()).toHaveLength(1);
		});

		test('says that nobody would be asked, and fails where a question is not accepted', async () => {
			const { id, upload, answers } = await publish();
			expect((await upload([['0979', 'Wrong']])).text).toMatch(/Nobody was asked[^]*Row 2/);
			const visitor = await upload([['09000000011', 'Bo']]);
			await visitor.submit({ 'field-0': JSON.stringify(['Ask them']) });
			const isTold = async () => {
				const rows = await answers();
				return /^not asked: /.test(String(rows[0]?.[2])) ? rows : undefined;
			};
			await until(isTold, { what: 'the reason' });
			const statuses = (await runner.n8n.api.finishedExecutions(id, 3)).map(({ status }) => status);
			expect(statuses.filter((status) => status === 'error')).toHaveLength(1);
		});
	});
});
