import { statusOptions, toStatuses } from '../../../nodes/SmsReceiptTrigger/statusOptions';
import { statusChoices } from '../../../nodes/shared/receipt/status';

describe('what the trigger can start on', () => {
	test('is every status of the service, after the choices that people look for', () => {
		const statuses = statusOptions.slice(3).map(({ name, value }) => ({ name, value }));
		expect(statuses).toEqual(statusChoices);
	});

	test.each([
		[['onDelivered'], ['Delivered', 'Success']],
		[['onNotDelivered'], ['Error', 'Expired', 'Failed', 'Rejected', 'Undelivered']],
		[
			['Sent', 'onDelivered'],
			['Sent', 'Delivered', 'Success'],
		],
		[['*', 'Sent'], []],
		[[], []],
		// What an expression gives.
		['Delivered', ['Delivered']],
		[' Failed, onDelivered', ['Failed', 'Delivered', 'Success']],
		['', []],
		[null, []],
		[undefined, []],
		[[null, ''], []],
	])('with %j is %j', (chosen, statuses) => expect(toStatuses(chosen)).toEqual(statuses));
});
