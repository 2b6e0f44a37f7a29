import type { INodeExecutionData } from 'n8n-workflow';

import { combineErrors } from '../../../../nodes/shared/execution/combineErrors';
import { InputError } from '../../../../nodes/shared/validation/InputError';

const short = new InputError('to', 'To is too short', 'Use a number.');
const context = (items: number, json: object = {}) => ({
	getInputData: () => Array.from({ length: items }, () => ({ json })) as INodeExecutionData[],
});
const failures = (count: number) =>
	Array.from({ length: count }, (_, n): [number, unknown] => [2 * n + 1, short]);

describe('the errors of several items', () => {
	test('become one that names the first ten and counts all', () => {
		const error = combineErrors(failures(12), context(100)) as InputError;
		expect(error.message).toBe('12 of 100 items cannot be sent. The first: To is too short');
		expect(error.hint.split('\n')).toEqual([
			'Correct them, or set Settings > On Error to Continue to send the others:',
			...failures(10).map(([item]) => `Item ${item + 1}: To is too short.`),
			'And 2 more.',
		]);
	});

	test('name the row of a spreadsheet where n8n does', () => {
		const { hint } = combineErrors(failures(2), context(9, { row_number: 8 })) as InputError;
		expect(hint).toContain('\nItem 2, row 8: To is too short.');
	});

	test('say how to send the other items if there is only one error', () => {
		expect(combineErrors(failures(1), context(100))).toMatchObject({
			message: 'To is too short',
			hint: 'Use a number. To send the other items, set Settings > On Error to Continue.',
		});
	});

	test('stay as they are if there is only one item', () => {
		expect(combineErrors(failures(1), context(1))).toBe(short);
	});

	test("leave n8n's own error to n8n", () => {
		const broken = new Error('Referenced node does not exist');
		expect(combineErrors([[0, broken], ...failures(1)], context(2))).toBe(broken);
	});
});
