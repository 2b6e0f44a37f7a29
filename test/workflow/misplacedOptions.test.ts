import type { IDataObject } from 'n8n-workflow';

import { options as ofBulk } from '../../nodes/SmsBulkSend/bulkSend.operation';
import { options as ofSend } from '../../nodes/SmsSend/send.operation';
import { options as ofWait } from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import { options as ofQuestion } from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import { pathOf } from '../../nodes/shared/options/reader';
import type { Options } from '../../nodes/shared/options/option';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runNode, type NodeUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** What sends or costs if n8n drops it, with a value that a builder writes. */
const values: IDataObject = {
	dryRun: true,
	scheduledAt: '2031-03-01T09:00:00Z',
	test: true,
	maxMessages: 1,
	doNotSendTo: '09779123456',
	sendWindow: { window: {} },
};
const sms = { to: '09779123456', message: 'Hello', from: 'MyShop' };
const nodes: Array<[type: NodeUnderTest['type'], options: Options, parameters: IDataObject]> = [
	['SmsSend', ofSend, sms],
	['SmsBulkSend', ofBulk, sms],
	['SmsSendAndWait', ofWait, { ...sms, waitFor: 'anyFinal', timeLimit: 1 }],
	['SmsSendAndWaitForResponse', ofQuestion, { ...sms, responseType: 'approval' }],
];

const place = (path: string, value: IDataObject[string]): IDataObject =>
	path.startsWith('options.') ? { options: { [path.slice(8)]: value } } : { [path]: value };

const rows = nodes.flatMap(([type, options, parameters]) =>
	Object.keys(values).flatMap((name) =>
		[name, `options.${name}`]
			.filter((path) => !Object.values(options).some((one) => pathOf(one) === path))
			.map((path) => ({ type, parameters, name, path, right: pathOf(ofSend[name as never]) })),
	),
);

describe('an option at a path where it has no effect', () => {
	const sandbox = useSandbox();
	const run = async (type: NodeUnderTest['type'], parameters: IDataObject, items = [{}]) =>
		await runNode({ type, parameters }, { credentials: credentialsOf(sandbox), items });
	const paths = () => sandbox.requests().map(({ path }) => path);

	test('is one of six, at each path where a node that sends does not have it', () => {
		expect(rows).toHaveLength(35);
	});

	test.each(rows)(
		'fails $type with $path, which names $right, and nothing is sent',
		async ({ type, parameters, name, path, right }) => {
			const { error } = await run(type, { ...parameters, ...place(path, values[name]) });
			expect(error?.message).toMatch(
				/ is at .+, (where it has no effect|but is not an option of this node)$/,
			);
			expect(error?.message).toContain(`at ${path},`);
			expect(error?.description).toContain(right);
			expect(paths()).toEqual([]);
		},
	);

	test.each([false, '={{ true }}', '={{ $json.missing }}', "={{ '' }}"])(
		'fails with any value: %j',
		async (dryRun) => {
			const { error } = await run('SmsSend', { ...sms, options: { dryRun } });
			expect(error?.message).toContain('Dry Run');
			expect(paths()).toEqual([]);
		},
	);

	test('fails a tool, too, whatever the model fills in', async () => {
		const scheduledAt = "={{ $fromAI('when', '', 'string') }}";
		const { json } = await run('SmsSendTool', { ...sms, scheduledAt }, [{ when: '' }]);
		expect(JSON.stringify(json)).toContain('Scheduled At');
		expect(paths()).toEqual([]);
	});

	test.each(nodes.slice(0, 2))('lets %s send without a value', async (type) => {
		const unset = { scheduledAt: '', test: '', maxMessages: '', doNotSendTo: '', sendWindow: '' };
		const { error } = await run(type, { ...sms, ...unset, options: {} });
		expect(error).toBeUndefined();
		expect(sandbox.messages().length).toBe(1);
	});
});
