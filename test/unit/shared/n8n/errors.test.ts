import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	LimitError,
	placeOf,
	toErrorItem,
	toNodeError,
	withPlace,
} from '../../../../nodes/shared/n8n/errors';
import { InputError } from '../../../../nodes/shared/input/InputError';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const node = openContext({ baseUrl: '', apiKey: '', apiSecret: '' }).getNode();
const place = { itemIndex: 3, items: 9 };
const only = { itemIndex: 0, items: 1 };
const refused = new ServiceError('rejected', {
	...{ status: 400, words: 'Invalid Sender ID', request: 'POST /rest/send' },
	...{ to: '959779100001', clientReference: 'order-7' },
});

describe('an error item', () => {
	test('holds error and details only, with what there is to know', () => {
		expect(toErrorItem(refused, place)).toEqual({
			error: 'Rejected by the service: Invalid Sender ID (item 4 of 9)',
			details: expect.objectContaining({
				...{ kind: 'rejected', itemIndex: 3, statusCode: 400, request: 'POST /rest/send' },
				...{ to: '959779100001', clientReference: 'order-7', serviceMessage: 'Invalid Sender ID' },
			}),
		});
	});

	test('names the field of wrong input, and what would be right', () => {
		expect(toErrorItem(new InputError('to', 'To is empty', 'Fill it in.'), only)).toEqual({
			error: 'To is empty. Fill it in.',
			details: { kind: 'input', field: 'to', description: 'Fill it in.', itemIndex: 0 },
		});
	});

	test('tells of anything else what it says', () => {
		expect(toErrorItem(new Error('broken'), only)).toEqual({
			error: 'broken',
			details: { kind: 'node', itemIndex: 0 },
		});
	});
});

describe("n8n's error", () => {
	test('of the service has the status, our sentence, and the item', () => {
		const error = toNodeError(node, refused, place);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Rejected by the service: Invalid Sender ID (item 4 of 9)',
			httpCode: '400',
		});
	});

	test('has an index only where the sentence has no count: the editor would add one from 0', () => {
		expect(toNodeError(node, refused, place).context.itemIndex).toBeUndefined();
		expect(toNodeError(node, refused, only).context.itemIndex).toBe(0);
	});

	test('keeps our sentence where n8n would put a stock one in its place', () => {
		const error = toNodeError(
			node,
			new ServiceError('unavailable', { code: 'ECONNREFUSED' }),
			only,
		);
		expect(error.message).toBe('The service could not be reached (ECONNREFUSED)');
	});

	test('of wrong input has what to do as its description', () => {
		const error = toNodeError(node, new InputError('to', 'To is empty', 'Fill it in.'), only);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'To is empty', description: 'Fill it in.' });
	});

	test('is left as it is where n8n made it, and learns the item', () => {
		const own = new NodeOperationError(node, 'Credentials not found');
		expect(toNodeError(node, own, place)).toBe(own);
		expect(own.context.itemIndex).toBe(3);
	});
});

test('a limit says what was reached, what to do, and when the next attempt is allowed', () => {
	const error = new LimitError('Too many codes', 'Wait 30 seconds.', 30, 'maxPerHour');
	expect(toErrorItem(error, place)).toEqual({
		error: 'Too many codes (item 4 of 9)',
		details: {
			kind: 'limited',
			field: 'maxPerHour',
			description: 'Wait 30 seconds.',
			itemIndex: 3,
			retryAfterSeconds: 30,
		},
	});
});

describe('the place of an error', () => {
	const describePlace = (items: object[], item: number) =>
		withPlace('To is empty', placeOf(openContext(nowhere, { items: items as never }), item));

	test('counts items from 1, as people do', () => {
		expect(describePlace(Array<object>(30).fill({}), 6)).toBe('To is empty (item 7 of 30)');
	});

	test('is left out for a single item', () => {
		expect(describePlace([{}], 0)).toBe('To is empty');
	});

	test('names the row of the spreadsheet where n8n says it', () => {
		const rows = [{ row_number: 2 }, { row_number: 8 }];
		expect(describePlace(rows, 1)).toBe('To is empty (row 8)');
		expect(describePlace([{ row_number: 8 }], 0)).toBe('To is empty (row 8)');
	});

	test.each([['8'], [-0.5], [null], [{}]])('ignores %j as a row', (row) => {
		expect(describePlace([{ row_number: row }], 0)).toBe('To is empty');
	});
});

test.each([
	['09 791 234 567', '09 791 234 567'],
	['09791234567, 09797654321', '959791234567'],
	[undefined, '959791234567'],
])('an error about a number of %j names it as entered, if it is the only one', (entered, to) => {
	const rejected = new ServiceError('rejected', { to: '959791234567' });
	const place = { itemIndex: 0, items: 1 };
	expect(toErrorItem(rejected, place, { to: entered }).details.to).toBe(to);
});
