import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { startReceiver } from '../support/unit/receiver';
import { credentialsOf, type Service } from '../support/workflow/credentialsOf';
import { shortenDelivery, useShortLooks } from '../support/workflow/sending';
import { inLine, runNode, type NodeUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

const proof = 'kT3-x_9QpLm2Zw7R';
const signature = 'ab12cd34'.repeat(8);
const link = `https://n8n.example.com/webhook-waiting/4711/f0e1?q=${proof}&signature=${signature}`;
const message = `Refund 45,000 MMK?\n${link}`;
const hidden = 'Refund 45,000 MMK?\n[hidden]';
const fields = { to: '09779123456', message, from: 'MyShop', waitFor: 'anyFinal' };

const sandbox = useSandbox();
const standIn = useStandIn();
shortenDelivery();

const run = async (
	type: NodeUnderTest['type'],
	parameters: IDataObject = {},
	service: Service = sandbox,
) => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const given = type.startsWith('SmsHistory') ? parameters : { ...fields, ...parameters };
	const underTest = { type, parameters: given, settings };
	const result = await runNode(underTest, { credentials: credentialsOf(service) });
	for (const secret of ['waiting', proof, signature.slice(0, 8)]) {
		expect(JSON.stringify([result.json, result.hints, result.error ?? null])).not.toContain(secret);
	}
	return result.json;
};
const texts = (records: IDataObject[]) => records.map((record) => record.message);

/** What the output has of each record: for people, and for a model. */
const outputs: Array<[string, IDataObject]> = [
	['', {}],
	['', { simplify: false }],
	['Tool', {}],
	['Tool', { simplify: false }],
];

describe.each(outputs)('what a node%s returns with %j', (tool, output) => {
	test.each(['SmsSend', 'SmsBulkSend', 'SmsSendAndWait'] as const)(
		'of %s hides a waiting link, which was sent',
		async (name) => {
			sandbox.configure({ pace: 1000 });
			const timeLimit = 0.02;
			expect(texts(await run(`${name}${tool}` as typeof name, { ...output, timeLimit }))).toEqual([
				hidden,
			]);
			expect(texts(sandbox.messages() as IDataObject[])).toEqual([message]);
		},
	);

	test('of SMS History hides every waiting link', async () => {
		const written = [
			message,
			encodeURIComponent(message),
			'Hello',
			message.replaceAll('&', '&amp;'),
		];
		sandbox.seedMessages(4, (n) => ({ message: written[n] }));
		const records = await run(`SmsHistory${tool}` as 'SmsHistory', { returnAll: true, ...output });
		expect(texts(records)).toEqual([
			hidden,
			'Hello',
			'Refund%2045%2C000%20MMK%3F%0A[hidden]',
			hidden,
		]);
	});
});

describe('a waiting link is hidden', () => {
	test.each(['SmsSend', 'SmsBulkSend'] as const)(
		'from %s only behind the search in message history, which knows a message by its text',
		async (name) => {
			const path = name === 'SmsSend' ? '/rest/send' : '/rest/send/bulk';
			sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
			expect(texts(await run(name))).toEqual([hidden]);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		},
	);

	test.each(['SmsSend', 'SmsBulkSend', 'SmsSendAndWait', 'SmsHistory'] as const)(
		'where an error of the service holds it, from %s',
		async (name) => {
			standIn.answer = () => answerJson(400, { message: `Too long: ${message}`, status: 400 });
			const [{ error }] = await run(name, {}, standIn);
			expect(error).toContain('(HTTP 400)');
		},
	);

	test('in every field that a service adds', async () => {
		const record = { messageId: '1', status: 'Accepted', to: '959779123456', message: 'Hi' };
		const added = { deliveryReceiptUrl: link, more: [{ address: link }] };
		standIn.answer = () => answerJson(201, { messages: [{ ...record, ...added }] });
		const [raw] = await run('SmsSend', { simplify: false }, standIn);
		expect(raw).toMatchObject({
			deliveryReceiptUrl: '[hidden]',
			more: [{ address: '[hidden]' }],
		});
	});

	test('in a delivery receipt', async () => {
		const receiver = await startReceiver();
		const receipt = { messageId: 'm-1', status: 'Delivered', clientReference: `Order 1 ${link}` };
		await httpClient.post(receiver.url, receipt).finally(receiver.close);
		const [[{ json }]] = receiver.executions;
		expect(json).toMatchObject({ messageId: 'm-1', clientReference: 'Order 1 [hidden]' });
	});
});

describe('SMS Send and Wait for Delivery hides a waiting link', () => {
	const n8n = useWaitingN8n();
	useShortLooks();

	test.each(['the receipt', 'the time limit'])('after %s', async (end) => {
		sandbox.configure({ pace: 0 });
		const parameters = { ...fields, simplify: false, timeLimit: 0.05 };
		const credentials = credentialsOf(sandbox);
		const underTest = inLine({ type: 'SmsSendAndWait', parameters });
		const { executionId } = await n8n.run(underTest, { credentials });
		const [{ messageId }] = sandbox.messages();
		if (end === 'the receipt') await sandbox.setStatus(messageId, 'Delivered');
		else n8n.endWait(executionId);
		const { json } = await n8n.awake(executionId);
		expect(json).toEqual([expect.objectContaining({ messageId, message: hidden })]);
		expect(JSON.stringify(json)).not.toContain(proof);
	});
});

describe.each(['SmsHistory', 'SmsHistoryTool'] as const)('the filter Message of %s', (type) => {
	const search = async (sought: string, more: IDataObject = {}) =>
		texts(await run(type, { returnAll: true, filters: { message: sought }, ...more }));

	test('finds a message by what is visible of it', async () => {
		sandbox.seedMessages(2, (n) => ({ message: [message, 'Refund sent'][n] }));
		expect(await search('Refund')).toEqual(['Refund sent', hidden]);
		expect(await search('45,000')).toEqual([hidden]);
	});

	test('finds none by a part of a waiting link', async () => {
		sandbox.seedMessages(1, () => ({ message }));
		for (const sought of [proof, proof.slice(0, 1), 'REFUND'])
			expect(await search(sought)).toEqual([]);
		expect(sandbox.requests()).toHaveLength(3);
	});

	test('fills the limit with others, in pages that fit it', async () => {
		sandbox.seedMessages(50, (n) => ({ message: n < 10 ? `9Qp ${n}` : message }));
		const parameters = { returnAll: false, limit: 3 };
		expect(await search('9Qp', parameters)).toEqual(['9Qp 9', '9Qp 8', '9Qp 7']);
		expect(sandbox.requests().map(({ query }) => query.limit)).toEqual(['20', '20', '20']);
	});
});
