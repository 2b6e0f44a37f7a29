import { NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../../../../nodes/shared/client/failure';
import { toErrorItem, toNodeError } from '../../../../nodes/shared/n8n/errors';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const node = openContext(nowhere).getNode();

test('an error of anything else tells what it says', () => {
	expect(toErrorItem(new Error('broken'), { itemIndex: 0, items: 1 })).toEqual({
		error: 'broken',
		details: { kind: 'node', itemIndex: 0 },
	});
});

test("an error has n8n's index only where its sentence has no count, or the editor would add one from 0", () => {
	const failure = new ServiceError('rejected', { status: 400 });
	expect(toNodeError(node, failure, { itemIndex: 3, items: 9 }).context.itemIndex).toBeUndefined();
	const only = toNodeError(node, failure, { itemIndex: 0, items: 1 });
	expect(only).toMatchObject({ context: { itemIndex: 0 }, httpCode: '400' });
});

test('an error of n8n is left as it is, and learns the item', () => {
	const own = new NodeOperationError(node, 'Credentials not found');
	expect(toNodeError(node, own, { itemIndex: 3, items: 9 })).toBe(own);
	expect(own.context.itemIndex).toBe(3);
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
