import {
	canonicalStatus,
	describeStatus,
	isNotDelivered,
	statusChoices,
	listStatuses,
} from '../../../../nodes/shared/client/status';

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
		['DELIVERED ', true, true],
		['DELIVRD', true, true],
		['UNDELIV', false, true],
	])('reads %p as delivered %p, final %p', (status, delivered, final) => {
		expect(describeStatus(status)).toEqual({ delivered, final });
	});
});

describe('canonicalStatus', () => {
	test.each([
		['DELIVERED', 'Delivered'],
		['  delivered\u00A0', 'Delivered'],
		['SUCCESS', 'Success'],
		['BUFFERED', 'Buffered'],
		['constructor', 'Constructor'],
	])('writes %j as %s', (spelling, status) => {
		expect(canonicalStatus(spelling)).toBe(status);
		expect(canonicalStatus(status)).toBe(status);
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

test('what is final and did not arrive is not delivered', () => {
	expect(listStatuses(false).every(isNotDelivered)).toBe(true);
	for (const status of ['Accepted', 'Delivered', 'success', '?', 'Unheard', undefined, false])
		expect(isNotDelivered(status)).toBe(false);
});
