import fc from 'fast-check';

import { readServiceTime, ServiceClock } from '../../../../nodes/shared/delivery/ServiceClock';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const now = Date.UTC(2026, 10, 20, 9, 0, 0);

/** As a service writes it whose clock and zone are ahead of ours by so much. */
const written = (time: number, ahead = 0) =>
	new Date(time + ahead).toISOString().slice(0, 19).replace('T', ' ');
const window = { from: now, to: now + 30 * second };

describe('readServiceTime', () => {
	test('reads a MySQL date time as if it were UTC', () => {
		expect(readServiceTime('2026-11-20 09:00:00')).toBe(now);
	});
	test.each([undefined, null, '', 'yesterday', 20261120, '2026-13-40 99:00:00'])(
		'reads nothing from %p',
		(value) => expect(readServiceTime(value)).toBeUndefined(),
	);
});

describe('a clock that has learnt nothing', () => {
	test.each([
		['UTC', 0],
		['GMT+6:30', 6.5 * hour],
	])('takes a record of now in %s as inside', (_, ahead) => {
		expect(new ServiceClock().place(written(now + second, ahead), window)).toBe('inside');
	});
	test('cannot say it of a record that another zone on earth would put inside', () => {
		expect(new ServiceClock().place(written(now + second, 7 * hour), window)).toBe('unclear');
	});
	test('takes a record of some minutes off every zone as outside', () => {
		expect(new ServiceClock().place(written(now - 7 * minute), window)).toBe('outside');
	});
	test('takes one of two days ago as outside, and as before', () => {
		const createdAt = written(now - 48 * hour);
		expect(new ServiceClock().place(createdAt, window)).toBe('outside');
		expect(new ServiceClock().isBefore(createdAt, now)).toBe(true);
	});
	test('calls nothing before that a zone could make later', () => {
		expect(new ServiceClock().isBefore(written(now - 3 * hour), now)).toBe(false);
	});
	test('uses the header Date for a clock that is wrong', () => {
		const clock = new ServiceClock();
		clock.learnFromHeader(now - 20 * minute, now);
		expect(clock.place(written(now + second, -20 * minute), window)).toBe('inside');
		expect(clock.place(written(now + second, -19 * minute), window)).toBe('unclear');
	});
	test.each([undefined, null, '', 'x'])('cannot place %p', (createdAt) => {
		expect(new ServiceClock().place(createdAt, window)).toBe('unclear');
		expect(new ServiceClock().isBefore(createdAt, now)).toBe(false);
	});
});

describe('a clock that has learnt from records', () => {
	test('knows what it was created during, and what long before, whatever the difference', () => {
		const ahead = fc.integer({ min: -26 * hour, max: 26 * hour });
		const latency = fc.integer({ min: 1, max: 5 * second });
		fc.assert(
			fc.property(ahead, latency, fc.nat(30 * second), (difference, took, after) => {
				const clock = new ServiceClock();
				const record = { createdAt: written(now - minute + took / 2, difference) };
				clock.learnFromRecord(record, now - minute, now - minute + took);
				expect(clock.place(written(now + after, difference), window)).toBe('inside');
				const old = written(now - 30 * second, difference);
				expect(clock.place(old, window)).toBe('outside');
				expect(clock.isBefore(old, now)).toBe(true);
				expect(clock.isBefore(written(now, difference), now)).toBe(false);
			}),
		);
	});
	test('is not sure of a record that is some seconds too early', () => {
		const clock = new ServiceClock();
		clock.learnFromRecord({ createdAt: written(now) }, now, now + 50);
		expect(clock.place(written(now - 6 * second), window)).toBe('unclear');
	});
	test('takes the whole range of machines whose clocks differ by seconds', () => {
		const clock = new ServiceClock();
		clock.learnFromRecord({ createdAt: written(now) }, now, now + 50);
		clock.learnFromRecord({ createdAt: written(now, 20 * second) }, now, now + 50);
		expect(clock.place(written(now + second), window)).toBe('inside');
		expect(clock.place(written(now + second, 20 * second), window)).toBe('inside');
	});
	test('learns anew when the clock of the service was set', () => {
		const clock = new ServiceClock();
		clock.learnFromRecord({ createdAt: written(now) }, now, now + 50);
		clock.learnFromRecord({ createdAt: written(now, hour) }, now, now + 50);
		expect(clock.place(written(now, hour), window)).toBe('inside');
		expect(clock.place(written(now), window)).toBe('outside');
	});
});
