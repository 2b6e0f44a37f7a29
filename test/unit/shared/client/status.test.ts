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
		['DELETED', false, true],
		['Deli\u200Bvered', true, true],
	])('reads %p as delivered %p, final %p', (status, delivered, final) => {
		expect(describeStatus(status)).toEqual({ delivered, final });
	});
});

describe('canonicalStatus', () => {
	test.each([
		['DELIVERED', 'Delivered'],
		['  delivered\u00A0', 'Delivered'],
		['De\u00ADli\uFE0Fvered\u2060', 'Delivered'],
		['SUCCESS', 'Success'],
		['ENROUTE', 'Sent'],
		['UNKNOWN', '?'],
		['BUFFERED', 'Buffered'],
		['not  Reached', 'Not reached'],
		['constructor', 'Constructor'],
	])('writes %j as %s', (spelling, status) => {
		expect(canonicalStatus(spelling)).toBe(status);
		expect(canonicalStatus(status)).toBe(status);
	});

	test('keeps what consists of invisible characters alone', () => {
		expect(canonicalStatus('\u200B')).toBe('\u200B');
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
