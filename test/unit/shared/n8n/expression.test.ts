import { nameExpression } from '../../../../nodes/shared/n8n/expression';
import { EmptyError } from '../../../../nodes/shared/input/InputError';
import { nowhere, openContext } from '../../../support/workflow/openContext';
const empty = new EmptyError('to', 'To', 'Use a number.');

const name = (parameters: object, json = {}, error: unknown = empty) =>
	nameExpression(openContext(nowhere, { parameters: { ...parameters }, items: [json] }), error, 0);

describe('a field that is empty', () => {
	test('names the expression that returned no value, in a collection as well', () => {
		const error = new EmptyError('scheduledAt', 'Scheduled At', 'Use a date.');
		expect(name({ options: { scheduledAt: '={{ " " }}' } }, {}, error)).toMatchObject({
			message: 'Scheduled At: {{ " " }} is empty',
			hint: 'Check the expression. The item has no fields. Use a date.',
		});
		const limit = new EmptyError('maxParts', 'Max Parts', 'Use a number.');
		const json = { n: '', row_number: 4 };
		expect(name({ options: { maxParts: '={{ $json.n }}' } }, json, limit)).toMatchObject({
			message: 'n is empty',
		});
	});

	test('names eight of many fields', () => {
		const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, n]));
		expect(name({ to: '={{ $json.to }}' }, many)).toMatchObject({
			message: 'To: no item has the field to; they have f0, f1, f2, f3, f4, f5, f6, f7 and 12 more',
		});
	});
});
