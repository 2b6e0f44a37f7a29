import type { IDataObject } from 'n8n-workflow';

import {
	inCollections,
	runWorkflow,
	type NodeUnderTest,
	type WorkflowRun,
} from '../../tools/harness';
import { AgentRunner, newestAgentVersion } from '../support/e2e/AgentRunner';
import { connectOutputs, makeMarker } from '../support/e2e/runAgain';
import { useService } from '../support/e2e/useService';

const dayMs = 86_400_000;
const inThreeDays = new Date(Date.now() + 3 * dayMs);
const opensOn = inThreeDays.toISOString().slice(0, 10);
const dayNames = [
	...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
];
const windowOf = (days: string[]) => ({
	window: { days, from: '00:00', until: '24:00', timeZone: 'UTC' },
});
const open = windowOf(dayNames);
const closed = windowOf([dayNames[inThreeDays.getUTCDay()]]);

const long = ' and so on'.repeat(10);

/** One row for each thing that the options look at. */
const rows: IDataObject[] = [
	{ to: '09791234561', name: 'Aye', out: '+959791234563' },
	{ to: '+95 9 791 234 561', name: 'Once more', out: 959791234564 },
	{ to: '09791234563', name: 'Out', out: '09791234563' },
	{ to: '09791234564', name: 'Out too', out: '09791234563' },
	{ to: '09791234565', name: '', out: '09791234563' },
	{ to: '+6591234567', name: 'Abroad', out: '09791234563' },
	{ to: '09791234566, 09791234567, +6591234568', name: 'Many', out: '09791234563' },
	{ to: '09791234569', name: 'Last', out: '09791234563' },
];
const fields = { to: '={{ $json.to }}', message: `=Hello {{ $json.name }}${long}`, from: 'MyShop' };
const options = {
	allowedCountryCodes: '95',
	doNotSendTo: "={{ $('Items').all().map((row) => row.json.out) }}",
	maxMessages: 8,
	sendWindow: open,
	skipDuplicates: true,
};
const refusals = [
	'Message: {{ $json.name }} is empty',
	'Numbers in this country are not allowed',
	'Numbers in this country are not allowed',
];

describe.each(['smsSend', 'smsBulkSend'])('a campaign with %s in a real n8n', (type) => {
	const service = useService();

	const run = async (parameters: object, items = rows, more: Partial<NodeUnderTest> = {}) => {
		const node: NodeUnderTest = {
			name: 'Send',
			type,
			parameters: parameters as NodeUnderTest['parameters'],
			credentials: { ...service.credentials },
			...more,
		};
		const nodes = [node, ...['Sent', 'Failed'].map(makeMarker)];
		const connections = connectOutputs('Send', ['Sent', 'Failed']);
		return await runWorkflow(service.api, nodes, items, { connections });
	};
	const hintsOf = ({ execution }: WorkflowRun) =>
		(execution.runData.Send.at(-1)?.hints ?? []).map(({ message }) => message);
	const messages = () => service.sandbox.messages().map(({ to, message }) => [to, message]);

	test('sends to each number once, to nobody who opted out, and rejects what is not allowed', async () => {
		const result = await run({ ...fields, ...inCollections(options) }, rows, {
			onError: 'continueErrorOutput',
		});
		expect(result.json.Sent[0].map(({ to, skipped = 'sent' }) => [to, skipped])).toEqual([
			['959791234561', 'sent'],
			['959791234561', 'duplicate'],
			['959791234563', 'optedOut'],
			['959791234564', 'optedOut'],
			['959791234569', 'sent'],
		]);
		expect(result.json.Failed[0].map(({ error }) => error)).toEqual(
			refusals.map((words) => expect.stringContaining(words)),
		);
		expect(messages()).toEqual([
			['959791234561', `Hello Aye${long}`],
			['959791234569', `Hello Last${long}`],
		]);
		expect(result.outputs.Send[0].map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 7].map((item) => ({ item })),
		);
	});

	test('reports in a dry run the outcome and the cost, and sends nothing', async () => {
		service.sandbox.configure({ balance: 50 });
		const dry = { ...options, dryRun: true, pricePerPart: 30 };
		const result = await run({ ...fields, ...inCollections(dry) }, rows, {
			onError: 'continueRegularOutput',
		});
		expect(result.status).toBe('success');
		const outcomes = result.json.Sent[0].map(({ wouldSend, skipped, reason }) =>
			wouldSend === true ? 'sent' : (skipped ?? reason),
		);
		const [empty, abroad, many] = refusals.map((words) => expect.stringContaining(words));
		expect(outcomes).toEqual([
			...[empty, abroad, many, many, many, 'sent', 'duplicate', 'optedOut', 'optedOut', 'sent'],
		]);
		expect(result.json.Sent[0][5]).toMatchObject({
			...{ to: '959791234561', dryRun: true, country: 'MM', encoding: 'GSM-7', parts: 1 },
			message: `Hello Aye${long}`,
		});
		expect(hintsOf(result).at(-1)).toContain(
			'To send: 2 (parts: 2). Rejected: 5, listed first. Duplicates: 1. On Do Not Send To: 2. Already sent: 0. Cost at 30 MMK per part: 60 MMK. Your balance of 50 MMK is 10 MMK short.',
		);
		expect(service.sandbox.requests().map(({ path }) => path)).toEqual([
			'/api/rest/account/get-balance',
		]);
	});

	test('keeps to its Send Window', async () => {
		const result = await run({ ...fields, options: { sendWindow: closed } }, rows.slice(0, 2));
		if (type === 'smsBulkSend') {
			expect(result.error?.message).toContain('Send Window is closed and opens on');
			expect(result.error?.message).toContain(`${opensOn} at 00:00 (UTC)`);
			expect(service.sandbox.requests().map(({ path }) => path)).toEqual([]);
			return;
		}
		expect(result.json.Sent[0].map(({ scheduledAtUtc }) => scheduledAtUtc)).toEqual(
			Array(2).fill(`${opensOn}T00:00:00.000Z`),
		);
		expect(hintsOf(result).join()).toMatch(
			/2 messages are scheduled, the first for .+ Send Window is closed until then/,
		);
	});
});

describe('an empty field of a tool', () => {
	let runner: AgentRunner;
	beforeAll(async () => void (runner = await AgentRunner.open()));
	afterAll(async () => await runner?.close());

	test.each([2.2, newestAgentVersion])(
		'looks at what the model fills in (agent %s)',
		async (agentVersion) => {
			const { sandbox, model } = runner;
			sandbox.reset();
			const ask = (name: string) => ({ tool: 'SMS_Send', args: { name } });
			model.play([[ask('')], [ask('Aye')], 'Sent.']);
			await runner.run({
				agentVersion,
				tool: {
					name: 'SMS Send',
					type: 'smsSendTool',
					parameters: {
						...{ to: '09791234567', from: 'MyShop' },
						message: "=Hello {{ $fromAI('name', 'First name', 'string') }}, welcome",
					},
				},
			});
			expect(sandbox.messages().map(({ message }) => message)).toEqual(['Hello Aye, welcome']);
			expect(JSON.stringify(runner.answers())).toContain('is empty');
		},
	);
});
