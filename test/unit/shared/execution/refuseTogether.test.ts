import { refuseTogether } from '../../../../nodes/shared/execution/refuseTogether';
import { InputError } from '../../../../nodes/shared/validation/InputError';

const short = new InputError('to', 'To is too short', 'Use a number.');
const failures = (count: number) =>
	Array.from({ length: count }, (_, n): [number, unknown] => [2 * n + 1, short]);

describe('items that are refused together', () => {
	test('are one failure that names the first ten and counts all', () => {
		const error = refuseTogether(failures(12), 100, false) as InputError;
		expect(error.message).toBe('12 of 100 items cannot be sent. The first: To is too short');
		expect(error.hint.split('\n')).toEqual([
			'Nothing was sent.',
			...failures(10).map(([item]) => `[item ${item}] To is too short.`),
			'And 2 more.',
			'Correct them, or set On Error to Continue to send the others.',
		]);
	});

	test('say what is right where it is one', () => {
		expect(refuseTogether(failures(1), 100, false)).toMatchObject({
			field: 'to',
			message: 'To is too short',
			hint: 'Nothing was sent. Use a number.',
		});
	});

	test('claim nothing about earlier tries', () => {
		expect(refuseTogether(failures(1), 2, true)).toMatchObject({
			hint: 'Nothing was sent in this attempt. Use a number.',
		});
	});

	test('leave to n8n what is no fault of the input', () => {
		const broken = new Error('Referenced node does not exist');
		expect(refuseTogether([[0, broken], ...failures(1)], 2, false)).toBe(broken);
	});
});
