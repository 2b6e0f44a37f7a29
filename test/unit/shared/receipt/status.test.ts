import { describeStatus, statusChoices } from '../../../../nodes/shared/receipt/status';

describe('describeStatus', () => {
	test.each([
		['Delivered', true, true],
		['Success', true, true],
		['Rejected', false, true],
		['Failed', false, true],
		['Undelivered', false, true],
		['Error', false, true],
		['Expired', false, true],
		['Accepted', null, false],
		['Sent', null, false],
		['Pending', null, false],
		['?', null, false],
		['Teleported', null, false],
		['constructor', null, false],
		['delivered', true, true],
	])('reads %p as delivered %p, final %p', (status, delivered, final) => {
		expect(describeStatus(status)).toEqual({ delivered, final });
	});
});

describe('statusChoices', () => {
	test('are all statuses of the service in alphabetical order, with words for the unknown one', () => {
		const names = statusChoices.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(names).toHaveLength(11);
		expect(statusChoices.at(-1)).toEqual({ name: 'Unknown (?)', value: '?' });
	});
});
