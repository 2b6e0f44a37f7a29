import fc from 'fast-check';
import {
	isTimeZone,
	parseIso8601,
	toInstant,
	toWallTime,
} from '../../../../nodes/shared/validation/time';

const zones = fc.constantFrom('Asia/Yangon', 'UTC', 'Europe/Berlin', 'America/New_York');

test.each([
	['Asia/Yangon', true],
	['UTC', true],
	['Asia/Rangoon', true],
	['', false],
	['Mars/Base', false],
	[undefined, false],
	[7, false],
])('%p is a time zone: %p', (zone, expected) => expect(isTimeZone(zone)).toBe(expected));

describe('toWallTime', () => {
	test('is 6:30 ahead in Yangon', () => {
		const instant = Date.UTC(2026, 10, 20, 9);
		expect(toWallTime(instant, 'Asia/Yangon')).toBe(Date.UTC(2026, 10, 20, 15, 30));
	});
});

describe('toInstant', () => {
	test('undoes toWallTime, but for the hour that comes twice', () => {
		const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
		fc.assert(
			fc.property(seconds, zones, (second, zone) => {
				const wallTime = toWallTime(second * 1000, zone);
				const instant = toInstant(wallTime, zone);
				expect(toWallTime(Number(instant), zone)).toBe(wallTime);
				expect(Number(instant)).toBeLessThanOrEqual(second * 1000);
			}),
		);
	});
	test('finds none that clocks skip, and the first one that comes twice', () => {
		expect(toInstant(Date.UTC(2026, 2, 29, 2, 30), 'Europe/Berlin')).toBeNull();
		const twice = toInstant(Date.UTC(2026, 9, 25, 2, 30), 'Europe/Berlin');
		expect(twice).toBe(Date.UTC(2026, 9, 25, 0, 30));
	});
});

describe('iso8601', () => {
	describe('parseIso8601', () => {
		test.each([
			['2026-11-20', Date.UTC(2026, 10, 20), null],
			['20261120T0930', Date.UTC(2026, 10, 20, 9, 30), null],
			['2026-11-20 09:30:15.999', Date.UTC(2026, 10, 20, 9, 30, 15), null],
			['2026-11-20T24:00Z', Date.UTC(2026, 10, 21), 0],
			['2026-324T09:30+06:30', Date.UTC(2026, 10, 20, 9, 30), 390],
			['2024-02-29t00:00-05', Date.UTC(2024, 1, 29), -300],
		])('reads %j', (text, wallTime, offset) => {
			expect(parseIso8601(text)).toEqual({ wallTime, offset });
		});

		test.each([
			...['', 'soon', '2026-02-29', '2026-13-01', '2026-000', '2026-366', '20-11-2026'],
			...['2026-11-20T25:00', '2026-11-20T09:60', '2026-11-20T09:30+15:00', '2026-11-20T'],
		])('finds no date in %j', (text) => expect(parseIso8601(text)).toBeNull());

		test('agrees with JavaScript about what it writes', () => {
			fc.assert(
				fc.property(
					fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
					(date) => {
						const wallTime = Math.floor(date.getTime() / 1000) * 1000;
						expect(parseIso8601(date.toISOString())).toEqual({ wallTime, offset: 0 });
					},
				),
			);
		});
	});
});
