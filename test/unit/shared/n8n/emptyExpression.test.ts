import { nameExpression } from '../../../../nodes/shared/n8n/emptyExpression';
import { EmptyError, InputError } from '../../../../nodes/shared/input/InputError';
import { nowhere, openContext } from '../../../support/workflow/openContext';
const empty = new EmptyError('to', 'To', 'Use a number.');

const name = (parameters: object, json = {}, error: unknown = empty) =>
	nameExpression(openContext(nowhere, { parameters: { ...parameters }, items: [json] }), error, 0);

describe('a field that is empty', () => {
	test('names the expression that returned no value, and the fields of the item', () => {
		expect(name({ to: '={{ $json.mobil }}' }, { mobile: '0979', name: 'Thida' })).toMatchObject({
			message: 'The expression in To returned no value',
			hint: 'Check the expression. The item has the fields mobile, name. Use a number.',
			field: 'to',
		});
	});

	test('is told by its expression in a collection as well', () => {
		const error = new EmptyError('scheduledAt', 'Scheduled At', 'Use a date.');
		expect(name({ options: { scheduledAt: '={{ " " }}' } }, {}, error)).toMatchObject({
			message: 'The expression in Scheduled At returned no value',
			hint: 'Check the expression. The item has no fields. Use a date.',
		});
		const limit = new EmptyError('maxParts', 'Max Parts', 'Use a number.');
		expect(name({ options: { maxParts: '={{ $json.n }}' } }, {}, limit)).toMatchObject({
			message: 'The expression in Max Parts returned no value',
		});
	});

	test.each(['={{ $json.phone }}', '={{ $json["phone"] }}', '={{$json.phone}}'])(
		'says of %s that the cell is empty, where the item has the field',
		(to) => {
			expect(name({ to }, { phone: '', name: 'Thida' })).toMatchObject({
				message: 'To is empty: the field phone is empty in this item',
				hint: 'Fill in phone for this item, or leave the item out, for example with a Filter node.',
			});
		},
	);

	test('names eight of many fields', () => {
		const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, n]));
		expect(name({ to: '={{ $json.to }}' }, many)).toMatchObject({
			hint: 'Check the expression. The item has the fields f0, f1, f2, f3, f4, f5, f6, f7, …. Use a number.',
		});
	});

	test('is not called empty if it is not an expression', () => {
		expect(name({ to: ' ' })).toBe(empty);
	});

	test('is not to be mixed up with other faults', () => {
		const other = new InputError('to', 'To is too short', 'Use a number.');
		expect(name({ to: '={{ $json.to }}' }, {}, other)).toBe(other);
	});
});
