import * as ask from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import * as bulk from '../../nodes/SmsBulkSend/bulkSend.operation';
import * as send from '../../nodes/SmsSend/send.operation';
import * as wait from '../../nodes/SmsSendAndWait/sendAndWait.operation';

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
