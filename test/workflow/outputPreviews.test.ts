import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';
import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { startReceiver } from '../support/unit/receiver';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { inLine } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { useShortLooks } from '../support/workflow/sending';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

interface Schema {
	type: 'object';
	properties: Record<string, { type: string }>;
}

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');
const readSchema = (node: string) => {
	const names: Record<string, string> = {
		SmsSendAndWaitForResponse: 'v1.0.0/sendAndWait',
		SmsReceiptTrigger: 'v2.0.0',
	};
	const name = names[node] ?? 'v1.0.0';
	return JSON.parse(read(`nodes/${node}/__schema__/${name}.json`)) as Schema;
};

/** Which fields of the examples the preview does not have, or has otherwise; in which order it has them all. */
function compare(node: string, examples: IDataObject[]) {
	const schema = readSchema(node);
	const names = Object.keys(schema.properties);
	const validate = new Ajv({ strict: false }).compile({ ...schema, additionalProperties: false });
	const faults = examples.flatMap((example) => (validate(example) ? [] : validate.errors));
	const orders = examples.map((example) => Object.keys(example));
	const expected = orders.map((order) => names.filter((name) => order.includes(name)));
	const never = names.filter((name) => !orders.flat().includes(name));
	return { faults, never, orders, expected };
}

function expectPreview(node: string, examples: IDataObject[]): void {
	expect(examples).not.toEqual([]);
	const { faults, never, orders, expected } = compare(node, examples);
	expect({ faults, never }).toEqual({ faults: [], never: [] });
	expect(orders).toEqual(expected);
}

/** What n8n shows of an output before anything was executed. */
describe('the output preview', () => {
	const sandbox = useSandbox();
	const n8n = useWaitingN8n();
	useShortLooks();
	const message = { to: '09791234567', message: 'Hello', from: 'MyShop' };
	/** What a node that waits returns when it is woken, and at its time limit. */
	const runTwice = async (
		type: 'SmsSendAndWait' | 'SmsSendAndWaitForResponse',
		parameters: IDataObject,
		wake: () => Promise<void>,
	) => {
		const run = async (end: (id: string) => Promise<void> | void) => {
			const given = { credentials: credentialsOf(sandbox) };
			const { executionId } = await n8n.run(inLine({ type, parameters }), given);
			await end(executionId);
			return (await n8n.awake(executionId)).json;
		};
		return [...(await run(wake)), ...(await run((id) => n8n.endWait(id)))];
	};

	test.each(['SmsSend', 'SmsBulkSend', 'SmsBalance'] as const)(
		'of %s has the fields of a real output',
		async (node) => {
			const { json } = await runAgainst(sandbox, node)();
			expectPreview(node, json);
		},
	);

	test('of SmsHistory has the fields of a real output', async () => {
		await runAgainst(sandbox, 'SmsSend')();
		await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
		const { json } = await runAgainst(sandbox, 'SmsHistory')();
		expectPreview('SmsHistory', json);
	});

	test('of SmsSendAndWait has the fields of a real output', async () => {
		// The watch of history ends with the time limit.
		const json = await runTwice('SmsSendAndWait', { ...message, timeLimit: 0.05 }, async () => {
			await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
		});
		expectPreview('SmsSendAndWait', json);
	});

	test('of SmsSendAndWaitForResponse has the fields of a real output', async () => {
		const parameters = { ...message, responseType: 'approval' };
		const json = await runTwice('SmsSendAndWaitForResponse', parameters, async () => {
			const [link] = /http\S+$/.exec(String(sandbox.messages()[0].message)) ?? [];
			await httpClient.post(String(link), 'response=approve');
		});
		expectPreview('SmsSendAndWaitForResponse', json);
		const { data } = readSchema('SmsSendAndWaitForResponse').properties as Record<string, object>;
		expect(data).toMatchObject({ properties: { approved: { type: 'boolean' } } });
		expect(Object.keys((data as Schema).properties)).toEqual(Object.keys(Object(json[0].data)));
	});

	test('of OtpRequest and OtpVerify has the fields of real outputs', async () => {
		const { json } = await runAgainst(sandbox, 'OtpRequest')();
		expectPreview('OtpRequest', json);
		const verify = runAgainst(sandbox, 'OtpVerify');
		const { requestId } = json[0];
		const wrong = await verify({ requestId, code: '0000' });
		const right = await verify({ requestId, code: sandbox.codes()[0].code });
		const items = [...wrong.outputs.flat(), ...right.outputs.flat()];
		expect(items.map((item) => item.json.verified)).toEqual([false, true]);
		expectPreview(
			'OtpVerify',
			items.map((item) => item.json),
		);
	});

	test('of SmsReceiptTrigger has the fields of a real output', async () => {
		const { url, executions, close } = await startReceiver({});
		const receipt = { messageId: 'm-1', to: '959791234567', clientReference: 'order-1234' };
		const at = '2026-11-20 14:30:05';
		await httpClient.post(url, { ...receipt, status: 'Delivered', updatedAt: at, finishedAt: at });
		close();
		expectPreview(
			'SmsReceiptTrigger',
			executions[0].map(({ json }) => json),
		);
	});

	test.each([
		['SmsSend', 'sms-send'],
		['SmsBalance', 'sms-balance'],
		['SmsReceiptTrigger', 'sms-delivery-receipt-trigger'],
	])('of %s has the fields of the example on its page', (node, page) => {
		const found = /```json\n([^`]+)```|^Example: `(\{[^`]+\})`/m.exec(read(`docs/${page}.md`));
		expectPreview(node, [JSON.parse(found?.[1] ?? found?.[2] ?? '') as IDataObject]);
	});
});
