import { isTimeZone } from '../../../../nodes/shared/validation/timeZone';
import { scheduledAtTimeZone, timeZones } from '../../../../nodes/shared/fields/sendOptions';

describe('the time zones of a schedule', () => {
	test.each(timeZones)('offer $name, which n8n knows', ({ name, value }) => {
		expect(value).toBe(name);
		expect(isTimeZone(value)).toBe(true);
	});

	test('begin with one of them', () => {
		expect(timeZones.map(({ value }) => value)).toContain(scheduledAtTimeZone.property.default);
	});
});
