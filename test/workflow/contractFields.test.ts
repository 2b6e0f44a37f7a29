import type { IDataObject } from 'n8n-workflow';

import * as ask from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import * as bulk from '../../nodes/SmsBulkSend/bulkSend.operation';
import * as send from '../../nodes/SmsSend/send.operation';
import * as wait from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import type { Option } from '../../nodes/shared/options/option';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

/** The optional fields of a send request in the specification, and Request Format. */
const fields = [
	...['clientReference', 'deliveryReceiptUrl', 'encrypt', 'encryptKey', 'scheduledAt'],
	...['surface', 'test', 'unicode'],
];

const notInBulk = 'a bulk request has only to, message and from';
const ofQuestion = 'the link must be readable, and is not worth keeping';

/** Why a node that sends does not have a field. */
const absent: Record<string, Record<string, string>> = {
	SmsSend: {},
	SmsBulkSend: Object.fromEntries(fields.map((field) => [field, notInBulk])),
	SmsSendAndWait: { deliveryReceiptUrl: 'the receipts must reach the waiting workflow' },
	SmsSendAndWaitForResponse: {
		clientReference: 'the node tells questions apart by its own reference, and by their link',
		deliveryReceiptUrl: 'it waits for a response, whatever the delivery',
		encrypt: ofQuestion,
		encryptKey: ofQuestion,
		scheduledAt: 'the wait begins when the question is sent',
	},
};

test.each(
	Object.entries({
		SmsSend: send,
		SmsBulkSend: bulk,
		SmsSendAndWait: wait,
		SmsSendAndWaitForResponse: ask,
	}),
)('%s has each field of the service, or a reason against it', (node, { options }) => {
	const missing = fields.filter((field) => !Object.hasOwn(options, field));
	expect(missing).toEqual(Object.keys(absent[node]));
});

describe('an option that is a field of the request', () => {
	const sandbox = useSandbox();
	/** Each value as it is entered. */
	const values: Record<string, unknown> = {
		clientReference: 'order-1024',
		deliveryReceiptUrl: 'https://n8n.example.com/receipts',
		encryptKey: 'my key',
	};
	const sent = Object.values<Option>(send.options).filter(({ sentAs }) => sentAs !== undefined);

	test('says so, but for times and what the node reads itself', () => {
		const own = ['scheduledAt', 'surface'];
		const names = sent.map(({ sentAs }) => sentAs).sort();
		expect([...names, ...own].sort()).toEqual([...fields].sort());
	});

	test.each(sent.map(({ property, sentAs }) => [property.name, String(sentAs)]))(
		'%s reaches the service as %s from an item that sets it, and from no other',
		async (name, field) => {
			const value = values[name] ?? true;
			const options = {
				skipDuplicates: false,
				[name]: `={{ $json.isSet ? ${JSON.stringify(value)} : ${name === 'encryptKey' ? '"other"' : value === true ? 'false' : '""'} }}`,
				...(name === 'encryptKey' && { encrypt: '={{ $json.isSet }}' }),
			};
			const items = [{ isSet: true }, { isSet: false }];
			const { error } = await runAgainst(sandbox, 'SmsSend')({ options }, { items });
			expect(error).toBeUndefined();
			const sentValues = sandbox.requests().map(({ body }) => (body as IDataObject)[field]);
			expect(sentValues).toHaveLength(2);
			expect(sentValues.filter((one) => one === (value === true ? 1 : value))).toHaveLength(1);
		},
	);
});
