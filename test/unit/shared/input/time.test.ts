import fc from 'fast-check';
import { isTimeZone, toInstant, toWallTime } from '../../../../nodes/shared/input/time';

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
