import { DateTime } from 'luxon';

import { readDay, requireTimeZone, serviceTimeToUtc } from '../../../../nodes/shared/input/time';

describe('requireTimeZone', () => {
	test.each(['Mars/Base', '', null, undefined, 7])('rejects %p', (zone) => {
		expect(() => requireTimeZone(zone)).toThrow(/^Scheduled At Time Zone is not a known time zone/);
	});

	test('names the credential when the zone of the service is none', () => {
		expect(() => requireTimeZone('Burma', 'serviceTimeZone')).toThrow(
			'Service Time Zone in the credential is not a known time zone: "Burma"',
		);
	});
});

describe('readDay', () => {
	const date = (value: unknown, zone = 'Asia/Yangon') =>
		readDay(value, 'filterByCreatedDateFrom', 'Created From')(zone);

	test.each(['2026-11-20', '20261120', '2026-11-20T23:59:59', '2026-11-20 00:00'])(
		'keeps the calendar date of %p',
		(given) => {
			expect(date(given)).toBe('2026-11-20');
		},
	);

	test.each([
		'2026-11-19T23:00:00-05:00',
		'2026-11-19T17:30:00Z',
		new Date('2026-11-20T17:29:59Z'),
		DateTime.fromISO('2026-11-20T01:00:00+06:30'),
	])('accepts the date that the service has at %p', (given) => {
		expect(date(given)).toBe('2026-11-20');
	});

	test.each([
		'2026-11-20T00:00:00.000+08:00',
		'2026-11-20T00:00:00-05:00',
		DateTime.fromISO('2026-11-20', { zone: 'Asia/Singapore' }),
	])('takes %p, as of $today, for that day in any zone', (given) => {
		expect(date(given)).toBe('2026-11-20');
		expect(date(given, 'America/New_York')).toBe('2026-11-20');
	});

	test.each(['2026-02-30', '', null, 'x', 20261120])('rejects %p', (given) => {
		expect(() => date(given)).toThrow(/^Created From is /);
	});
});

describe('serviceTimeToUtc', () => {
	test('reads the time in another zone', () => {
		expect(serviceTimeToUtc('2026-12-24 09:00:00', 'Asia/Singapore')).toBe(
			'2026-12-24T01:00:00.000Z',
		);
		expect(serviceTimeToUtc('2026-12-24 09:00:00', 'Burma')).toBeNull();
	});

	test.each([
		...[null, undefined, 7, '', '?', '0000-00-00 00:00:00', '2026-02-30 10:00:00', '2026-11-20'],
		'2026-11-20T10:00:00Z',
	])('returns null for %p', (value) => {
		expect(serviceTimeToUtc(value)).toBeNull();
	});
});
