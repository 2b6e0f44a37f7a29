import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import {
	LimitError,
	toErrorItem,
	toNodeError,
} from '../../../../nodes/shared/execution/toNodeError';
import { InputError } from '../../../../nodes/shared/validation/InputError';
import { openContext } from '../../../support/workflow/openContext';

const node = openContext({ baseUrl: '', apiKey: '', apiSecret: '' }).getNode();
const refused = new ServiceError('rejected', {
	...{ status: 400, words: 'Invalid Sender ID', request: 'POST /rest/send' },
	...{ to: '959779100001', clientReference: 'order-7' },
});

describe('an error item', () => {
	test('holds error and details only, with what there is to know', () => {
		expect(toErrorItem(refused, 3)).toEqual({
			error: 'Rejected by the service: Invalid Sender ID [item 3]',
			details: expect.objectContaining({
				...{ kind: 'rejected', itemIndex: 3, statusCode: 400, request: 'POST /rest/send' },
				...{ to: '959779100001', clientReference: 'order-7', serviceMessage: 'Invalid Sender ID' },
			}),
		});
	});

	test('names the field of wrong input, and what would be right', () => {
		expect(toErrorItem(new InputError('to', 'To is empty', 'Fill it in.'), 0)).toEqual({
			error: 'To is empty [item 0]. Fill it in.',
			details: { kind: 'input', field: 'to', description: 'Fill it in.', itemIndex: 0 },
		});
	});

	test('tells of anything else what it says', () => {
		expect(toErrorItem(new Error('broken'), 0)).toEqual({
			error: 'broken [item 0]',
			details: { kind: 'node', itemIndex: 0 },
		});
	});
});

describe("n8n's error", () => {
	test('of the service has the status, our sentence, and the item', () => {
		const error = toNodeError(node, refused, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Rejected by the service: Invalid Sender ID [item 3]',
			httpCode: '400',
			context: { itemIndex: 3 },
		});
	});

	test('keeps our sentence where n8n would put a stock one in its place', () => {
		const error = toNodeError(node, new ServiceError('unavailable', { code: 'ECONNREFUSED' }), 0);
		expect(error.message).toBe('The service could not be reached (ECONNREFUSED) [item 0]');
	});

	test('of wrong input has what to do as its description', () => {
		const error = toNodeError(node, new InputError('to', 'To is empty', 'Fill it in.'), 0);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'To is empty [item 0]', description: 'Fill it in.' });
	});

	test('is left as it is where n8n made it, and learns the item', () => {
		const own = new NodeOperationError(node, 'Credentials not found');
		expect(toNodeError(node, own, 2)).toBe(own);
		expect(own.context.itemIndex).toBe(2);
	});
});

test('a limit says what was reached, what to do, and when the next try is allowed', () => {
	const error = new LimitError('Too many codes', 'Wait 30 seconds.', 30);
	expect(toErrorItem(error, 1)).toEqual({
		error: 'Too many codes [item 1]',
		details: {
			kind: 'limited',
			description: 'Wait 30 seconds.',
			itemIndex: 1,
			retryAfterSeconds: 30,
		},
	});
});
