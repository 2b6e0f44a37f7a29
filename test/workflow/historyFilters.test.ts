import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode, type RunResult } from '../support/workflow/runWorkflow';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';
import { useSandbox } from '../support/workflow/useSandbox';

const wordsOf = ({ error, json }: RunResult) =>
	error ? `${error.message} ${error.description ?? ''}` : JSON.stringify(json);

describe('the filters of SMS History', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsHistory');
	beforeEach(() => {
		const statuses = ['Failed', 'Delivered', 'Delivered'];
		sandbox.seedMessages(3, (index) => ({ status: statuses[index] }));
	});

	test.each([
		['={{ "failed" }}', ['Failed']],
		['={{ ["FAILED"] }}', ['Failed']],
		['={{ ["failed", "Delivered"] }}', ['Delivered', 'Delivered', 'Failed']],
	])('finds the status %s in upper or lower case', async (status, expected) => {
		const { json } = await run({ filters: { status } });
		expect(json.map((record) => record.status)).toEqual(expected);
	});

	test('finds every message that was not delivered', async () => {
		const { json } = await run({ filters: { status: ['notDelivered'] } });
		expect(json.map((record) => record.status)).toEqual(['Failed']);
	});

	test.each(['={{ "undeliverable" }}', '={{ ["Failed", "nonsense"] }}'])(
		'rejects the status %s, which does not exist',
		async (status) => {
			const { error } = await run({ filters: { status } });
			expect(error?.message).toContain('Status');
			expect(sandbox.requests().length).toBe(0);
		},
	);

	test('reads the text "false" in Return All as off', async () => {
		expect((await run({ returnAll: '={{ "false" }}', limit: 1 })).json).toHaveLength(1);
		expect((await run({ returnAll: '={{ "true" }}', limit: 1 })).json).toHaveLength(3);
	});

	test.each(['={{ "no" }}', "={{ '' }}", '={{ null }}'])(
		'rejects %s in Return All',
		async (returnAll) => {
			const { error } = await run({ returnAll, limit: 1 });
			expect(error?.message).toContain('Return All');
			expect(sandbox.requests().length).toBe(0);
		},
	);

	test('return nothing, as a tool, if an expression of the builder returns no value', async () => {
		for (const name of ['to', 'clientReference', 'from', 'message', 'status']) {
			const parameters = { returnAll: true, filters: { [name]: '={{ $json.customer }}' } };
			const result = await runNode(
				{ type: 'SmsHistoryTool', parameters },
				{ credentials: credentialsOf(sandbox), items: [{ customer: '' }] },
			);
			expect(wordsOf(result)).not.toContain('Seeded message');
		}
		expect(sandbox.requests().length).toBe(0);
	});
});

describe('a service that ignores the filters', () => {
	const service = useStandIn();
	const records = [
		{ messageId: 'own', to: '959791234567', from: 'MyShop', createdAt: '2026-11-20 09:00:00' },
		{ messageId: 'masked', to: '959*******', from: 'MyShop', createdAt: '2026-11-20 09:00:00' },
		{ messageId: 'other', to: '959790000000', from: 'Other', createdAt: '2026-11-02 09:00:00' },
	];

	test.each([
		[{ to: '09791234567' }, ['own', 'masked']],
		[{ from: 'MyShop' }, ['own', 'masked']],
		[{ filterByCreatedDateFrom: '2026-11-10' }, ['own', 'masked']],
		[{ filterByCreatedDateTo: '2026-11-10' }, ['other']],
		[{}, ['own', 'masked', 'other']],
	])('lists with %j what may be meant: %j', async (filters, expected) => {
		service.answer = () =>
			answerJson(200, { messages: records, limit: 1000, records: 3, start: 0 });
		const { json } = await runAgainst(service, 'SmsHistory')({ filters });
		expect(json.map(({ messageId }) => messageId)).toEqual(expected);
	});
});
