import { statusChoices } from '../../../../nodes/shared/client/status';
import { readStatuses } from '../../../../nodes/shared/options/statuses';

const property = {
	...{ displayName: 'Status', name: 'status', type: 'multiOptions' as const, default: [] },
	options: [{ name: 'Any', value: '*' }, ...statusChoices],
};
const notDelivered = ['Error', 'Expired', 'Failed', 'Rejected', 'Undelivered'];

test.each([
	[['onNotDelivered'], notDelivered],
	['NotDelivered', notDelivered],
	['onDelivered, sent', ['Delivered', 'Success', 'Sent']],
	[
		['DELIVRD', 'undeliv', '?', '*'],
		['Delivered', 'Undelivered', '?', '*'],
	],
])('%j are the statuses %j', (value, statuses) =>
	expect(readStatuses(property, value)).toEqual(statuses),
);

test.each([['Gone'], [['Failed', null]], ['Failed,'], [7], [true]])('%j is none', (value) =>
	expect(() => readStatuses(property, value)).toThrow('is not valid for Status'),
);
