import type { INodeExecutionData } from 'n8n-workflow';

import { combineFaults } from '../../../../nodes/shared/sending/faults';
import { InputError } from '../../../../nodes/shared/input/InputError';
import type { Fault } from '../../../../nodes/shared/sending/plan';

const empty = new InputError('to', 'To is empty', 'Fill it in.');
const unknown = new InputError('message', 'Message: no item has the field Naem', 'Drag.');

const context = (items: number, json: object = {}) => ({
	getInputData: () => Array.from({ length: items }, () => ({ json })) as INodeExecutionData[],
});
const failures = (count: number) =>
	Array.from({ length: count }, (_, n) => {
		const value = ['05', '"a: b', 4, null][n % 4];
		return {
			item: 2 * n + 1,
			error: new InputError('to', 'To is too short', 'Use a number.', { value }),
		};
	});
const combineErrors = (all: object[], run: ReturnType<typeof context>, runError?: InputError) =>
	combineFaults(run, all as Fault[], runError);
const combine = (...given: Parameters<typeof combineErrors>) => {
	const { message, hint } = combineErrors(...given) as InputError;
	return [message, ...hint.split('\n')];
};
const correct = 'Correct them, or set Settings > On Error to Continue to send the others:';

describe('the errors of several items', () => {
	test('become one line for each fault, with its items, what is wrong in them, and its remedy', () => {
		expect(
			combine(
				[...failures(7), { item: 20, error: empty }, { item: 22, error: new Error('No access') }],
				context(100),
			),
		).toEqual([
			'9 of 100 items cannot be sent. The first: To is too short: "05" (item 2 of 100)',
			correct,
			'7 items: To is too short (item 2: "05"; item 4: "\\"a: b"; item 6: 4 and 4 more). Use a number.',
			'1 item: To is empty (item 21). Fill it in.',
			'1 item: No access (item 23).',
		]);
	});

	test('of more than ten faults name the first ten', () => {
		const all = Array.from({ length: 12 }, (_, item) => ({
			item,
			error: new InputError('message', `Message has ${item + 3} parts`, 'Shorten it.'),
		}));
		const lines = combine(all, context(12));
		expect(lines).toHaveLength(13);
		expect(lines.at(-1)).toBe('And 2 more.');
	});

	test('leave out what follows from a fault of the whole run', () => {
		const follows = new InputError('message', 'Message is empty', '');
		expect(combine([{ item: 0, error: follows }], context(1), unknown)).toEqual([
			'Message: no item has the field Naem',
			'Drag.',
		]);
	});

	test('say how to send the other items if there is only one error', () => {
		expect(combineErrors([{ item: 1, error: empty }], context(100))).toMatchObject({
			message: 'To is empty',
			hint: 'Fill it in. To send the other items, set Settings > On Error to Continue.',
		});
	});

	test('stay as they are if there is only one item', () => {
		expect(combineErrors([{ item: 1, error: empty }], context(1))).toBe(empty);
	});

	test("leave n8n's own error to n8n", () => {
		const broken = new Error('Credential does not exist');
		expect(combineErrors([{ item: 0, error: broken }, ...failures(1)], context(2))).toBe(broken);
	});
});
