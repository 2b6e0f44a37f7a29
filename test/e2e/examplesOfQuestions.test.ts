import { describeRun } from '../../tools/harness';
import { until } from '../../scripts/n8n/until';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { linkIn, open, press } from '../support/e2e/questions';
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
		const guests = [
			{ name: 'Aye', phone: '09791234567' },
			{ name: 'Wrong', phone: '0979' },
			{ name: 'Ko Ko', phone: '09791234568' },
			{ name: 'Su Su', phone: '09791234569' },
		];
		const linkTo = (phone: string) =>
			String(/\S+$/.exec(String(textsTo(`95${phone.slice(1)}`)[0]))?.[0]);

		test('asks all at once, puts each answer into its row, and fails for a wrong number alone', async () => {
			const { api } = runner.n8n;
			const value = JSON.stringify(guests);
			const assignments = { assignments: [{ id: 'a', name: 'guests', value, type: 'array' }] };
			const { id } = await runner.activate('ask-many-people', {
				Guests: { assignments, options: {} },
			});
			const started = await api.finishedExecution(await api.runManually(id, 'Start'));
			expect(describeRun(id, started).error).toBeUndefined();
			// n8n refuses a press before it has saved that the execution waits.
			const isAsked = async () => {
				const waiting = (await api.executions(id)).filter(({ status }) => status === 'waiting');
				return waiting.length === 3 ? true : undefined;
			};
			await until(isAsked, { what: 'all questions, before anybody has answered' });
			expect(runner.sandbox.messages()).toHaveLength(3);

			const rows = async () => {
				const all = await api.executions(id);
				const found = await Promise.all(
					all.map(async (one) => await api.finishedExecution(one.id, ['waiting', 'success'])),
				);
				const saved = found.flatMap(
					(one) => describeRun(id, one).json['Save the answer']?.[0] ?? [],
				);
				return new Map(saved.map(({ phone, answer }) => [phone, answer]));
			};
			await press(linkTo(guests[3].phone), { response: '1' });
			await press(linkTo(guests[0].phone), { response: '0' });
			const answered = async () => ((await rows()).size === 3 ? await rows() : undefined);
			const saved = await until(answered, { what: 'three rows' });
			expect(saved.get(guests[0].phone)).toBe("I'll come");
			expect(saved.get(guests[3].phone)).toBe("I can't come");
			expect(saved.get('0979')).toMatch(/^not asked: .*0979/);
			expect(saved.has(guests[2].phone)).toBe(false);
			await press(linkTo(guests[2].phone), { response: '0' });
			await until(async () => ((await rows()).size === 4 ? true : undefined), {
				what: 'the last row',
			});
		});
	});
});
