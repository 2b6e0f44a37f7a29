import 'reflect-metadata';

import type { IDataObject, INodeType } from 'n8n-workflow';

import manifest from '../../package.json';
import { MessagingServiceClient } from '../../nodes/shared/client/MessagingServiceClient';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { openContext } from '../support/workflow/openContext';
import { runNode, type NodeUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const parameters = { message: 'Hello', from: 'MyShop', brand: 'MyShop', waitFor: 'anyFinal' };
const onlySendTo = '09779123456, 9597910*, name@example.com';

/** The nodes that send: all that have a field To of their own, so that a new one cannot be forgotten. */
const sendingNodes = manifest.n8n.nodes
	.map((path) => path.replace(/^.*\/(\w+)\.node\.js$/, '$1'))
	.filter((name) => {
		const file = jest.requireActual<Record<string, new () => INodeType>>(
			`../../nodes/${name}/${name}.node`,
		);
		const { properties } = new file[name]().description;
		return properties.some(({ name: field, type }) => field === 'to' && type !== 'hidden');
	}) as Array<NodeUnderTest['type'] & string>;

describe.each(sendingNodes)('%s with a credential that has Only Send To', (name) => {
	const sandbox = useSandbox();
	const tool = `${name}Tool` as NodeUnderTest['type'];
	const send = async (
		to: unknown,
		{
			type = name,
			list = onlySendTo,
			more = {},
		}: { type?: NodeUnderTest['type']; list?: unknown; more?: IDataObject } = {},
	) =>
		await runNode(
			{
				type,
				parameters: { ...parameters, to: '={{ $json.to }}', ...more },
				settings: { onError: 'continueRegularOutput' },
			},
			{
				credentials: credentialsOf(sandbox, { onlySendTo: list } as IDataObject),
				items: [{ to } as IDataObject],
			},
		);
	const sent = () => sandbox.requests().map(({ path }) => path);
	const refusal = /^Not sent: .* is not in Only Send To/;

	test.each([
		...['09779123457', '+959779123457', '959791123456', '၀၉၇၇၉၁၂၃၄၅၇', '959779123456@evil.example'],
		...['other@example.com', '+6591234567'],
	])('sends nothing to %s', async (to) => {
		for (const type of [name, tool]) {
			const { json, error } = await send(to, { type });
			expect(error).toBeUndefined();
			expect(json).toEqual([expect.objectContaining({ error: expect.any(String) })]);
		}
		expect(sent()).toEqual([]);
	});

	test('says why, also as a tool', async () => {
		// As a tool of this context, that node asks nobody at all.
		const types = name === 'SmsSendAndWaitForResponse' ? [name] : [name, tool];
		for (const type of types) {
			const { json } = await send('09779123457', { type });
			expect(json[0]).toMatchObject({
				error: expect.stringMatching(refusal),
				details: {
					kind: 'input',
					field: 'to',
					description: expect.stringContaining('Only Send To'),
				},
			});
		}
	});

	test.each(['everybody', '*', null])(
		'sends nothing with the list %j, and names it',
		async (list) => {
			const { json } = await send('09779123456', { list });
			expect(json[0]).toMatchObject({
				error: expect.stringContaining('Only Send To of the credential'),
				details: { field: 'onlySendTo' },
			});
			expect(sent()).toEqual([]);
		},
	);
});

describe('a credential with Only Send To', () => {
	const sandbox = useSandbox();
	const run = async (type: NodeUnderTest['type'], more: IDataObject, items: IDataObject[]) =>
		await runNode(
			{
				type,
				parameters: { ...parameters, to: '={{ $json.to }}', ...more },
				settings: { onError: 'continueRegularOutput' },
			},
			{ credentials: credentialsOf(sandbox, { onlySendTo }), items },
		);
	const items = [{ to: '09779123456' }, { to: '09779123457' }, { to: '+95 9 791 012 345' }];
	const allowed = ['959779123456', '959791012345'];

	test.each([
		['SmsSend', {}],
		['SmsSend', { options: { surface: 'http' } }],
		['SmsBulkSend', {}],
	] as const)('sends with %s %j to those on the list', async (type, more) => {
		const { json } = await run(type, more, items);
		expect(
			sandbox
				.messages()
				.map(({ to }) => to)
				.sort(),
		).toEqual(allowed);
		expect(json.map((item) => 'error' in item)).toEqual([false, true, false]);
	});

	test.each(['SmsSend', 'SmsBulkSend'] as const)(
		'shows in a dry run of %s who is rejected',
		async (type) => {
			const dry = { dryRun: true };
			const { json } = await run(type, dry, items);
			const refused = json.map((row) => [row.wouldSend, row.reason]);
			expect(refused).toEqual(
				expect.arrayContaining([
					[true, undefined],
					[false, expect.stringContaining('"959779123457" is not in Only Send To')],
				]),
			);
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);

	test('sends codes to those on the list', async () => {
		const codes = [...items, { to: 'NAME@example.com' }, { to: 'other@example.com' }];
		const { json } = await run('OtpRequest', {}, codes);
		expect(json.map((item) => 'error' in item)).toEqual([false, true, false, false, true]);
		expect(sandbox.codes()).toHaveLength(3);
	});

	test('is the last thing that is asked before a request, whatever a node forgets', async () => {
		const context = openContext(sandbox, { credentials: { onlySendTo } });
		const settings = { parallelRequests: 1, timeout: 1000 };
		const client = await MessagingServiceClient.open(context, settings);
		const [to, from, brand, message] = ['959779123457', 'MyShop', 'MyShop', 'Hello'];
		const refused = /^Not sent/;
		for (const surface of ['rest', 'http'] as const) {
			await expect(client.send({ to, from, message }, surface)).rejects.toThrow(refused);
		}
		const bulk = [{ to: ['959779123456', to], from, message }];
		await expect(client.sendBulk(bulk)).rejects.toThrow(refused);
		await expect(client.requestOtp({ to, from, brand })).rejects.toThrow(refused);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
