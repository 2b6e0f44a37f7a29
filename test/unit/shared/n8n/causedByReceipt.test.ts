import type { IExecuteFunctions } from 'n8n-workflow';

import {
	beginReference,
	isCausedByReceipt,
	isOfCaused,
} from '../../../../nodes/shared/n8n/causedByReceipt';

const type = 'n8n-nodes-messaging-service.smsReceiptTrigger';
const receiptOf = (clientReference: string | null) => isOfCaused({ clientReference });

describe('an execution is known as started by a receipt', () => {
	test.each([
		[type, true],
		['CUSTOM.smsReceiptTrigger', true],
		['n8n-nodes-base.webhook', false],
	])('where n8n names its trigger: %s', (triggerType, expected) => {
		const triggerNode = { name: 'Trigger', type: triggerType };
		const context = { getExecutionContext: () => ({ triggerNode }) };
		expect(isCausedByReceipt(context as unknown as IExecuteFunctions)).toBe(expected);
	});

	test.each([true, false])(
		'on n8n 1, where a trigger before the node has run: %s',
		(isExecuted) => {
			const asked: string[] = [];
			const context = {
				getNode: () => ({ name: 'Send' }),
				getParentNodes: () => [
					{ name: 'Every day', type: 'n8n-nodes-base.scheduleTrigger' },
					{ name: 'A "receipt"', type },
				],
				evaluateExpression: (expression: string) => {
					asked.push(expression);
					return isExecuted;
				},
			};
			expect(isCausedByReceipt(context as unknown as IExecuteFunctions)).toBe(isExecuted);
			expect(asked).toEqual(['{{ $("A \\"receipt\\"").isExecuted }}']);
		},
	);
});

test('a receipt is that of such a message by the mark of its reference', () => {
	expect(receiptOf(`${beginReference(true)}-0123456789abcdef-0123456789ab-01234567`)).toBe(true);
	expect(receiptOf(`${beginReference(false)}-0123456789abcdef-0123456789ab`)).toBe(false);
	expect([receiptOf('alert-1'), receiptOf(null)]).toEqual([false, false]);
});

test('the longest reference has no more than the 50 characters that the service accepts', () =>
	expect(
		`${beginReference(true)}-${'0'.repeat(16)}-${'0'.repeat(12)}-${'0'.repeat(8)}`.length,
	).toBe(50));
