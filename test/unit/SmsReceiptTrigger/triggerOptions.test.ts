import { statuses, statusOptions } from '../../../nodes/SmsReceiptTrigger/statusOptions';
import { statusChoices } from '../../../nodes/shared/client/status';

describe('statusOptions', () => {
	describe('what the trigger can start on', () => {
		test('is every status of the service, after the choices that people look for', () => {
			const statuses = statusOptions.slice(3).map(({ name, value }) => ({ name, value }));
			expect(statuses).toEqual(statusChoices);
		});

		test('is told apart in the nodes panel, and by its description', () => {
			for (const key of ['action', 'description'] as const)
				expect(new Set(statusOptions.map((one) => one[key])).size).toBe(statusOptions.length);
		});

		test.each([
			[['onDelivered'], ['Delivered', 'Success']],
			[['*', 'Sent'], []],
			[[], []],
			[' Failed, onDelivered', ['Failed', 'Delivered', 'Success']],
		])('with %j is %j', (chosen, expected) => expect(statuses.read(chosen)).toEqual(expected));

		test.each([undefined, null, '', ' ', {}, [null, ''], ['Gone'], 7, true])(
			'is nothing with %j',
			(chosen) =>
				expect(() => statuses.read(chosen)).toThrow(
					/^Trigger On is empty|is not valid for Trigger On$/,
				),
		);
	});
});
