import fc from 'fast-check';
import { DateTime } from 'luxon';

import { InputError } from '../../../../nodes/shared/input/InputError';
import { readScheduled, toServiceDateTime } from '../../../../nodes/shared/input/schedule';
import { serviceTimeToUtc } from '../../../../nodes/shared/input/time';

const now = new Date('2026-11-20T00:00:00Z');
/** What the user wrote in one zone, as the service reads it in the same or in another. */
const schedule = (value: unknown, zone: string, serviceZone = zone) =>
	toServiceDateTime(readScheduled(value, zone), zone, serviceZone, now.getTime());
const inYangon = (value: unknown) => schedule(value, 'Asia/Yangon');

describe('toServiceDateTime', () => {
	test.each([
		['2026-11-21T10:00:00', '2026-11-21 10:00:00'],
		['2026-11-21T10:00', '2026-11-21 10:00:00'],
		['2026-11-21 10:00:30', '2026-11-21 10:00:30'],
		['2026-11-21 10:00', '2026-11-21 10:00:00'],
		['2026-11-21T10:00:00.999', '2026-11-21 10:00:00'],
		['2026-11-21T10', '2026-11-21 10:00:00'],
		['20261121T100000', '2026-11-21 10:00:00'],
		['2026-11-21T00:00', '2026-11-21 00:00:00'],
		[46_348.375, '2026-11-22 09:00:00'],
		['46348.375', '2026-11-22 09:00:00'],
		['2026-11-21T24:00', '2026-11-22 00:00:00'],
	])('reads %p without an offset as wall time in the zone', (given, sent) => {
		expect(inYangon(given)).toBe(sent);
		expect(schedule(given, 'America/New_York')).toBe(sent);
	});

	test.each([
		...['2026-11-21T03:30:00Z', '2026-11-21T03:30:00.000z', '20261121T033000Z'],
		...['2026-11-21T10:00:00+06:30', '2026-11-21T10:00:00+0630', '2026-11-21T12:30+09'],
		...['2026-11-20 22:30:00 -05:00', '2026-11-20T22:30:00\u221205:00'],
		...[new Date('2026-11-21T03:30:00Z')],
		DateTime.fromISO('2026-11-21T03:30:00Z', { zone: 'Europe/Berlin' }),
	])('brings the instant %p into the zone', (given) => {
		expect(inYangon(given)).toBe('2026-11-21 10:00:00');
	});

	test.each([
		['2573-11-25T10:00', '2573'],
		['2569-12-31 09:00', '2569'],
		['2206-11-25T10:00:00+06:30', '2206'],
		['2062-11-26 09:00', '2062'],
		['2027-11-22 09:00', '2027'],
		[new Date('2036-01-01T00:00:00Z'), '2036'],
	])('rejects %p, more than a year ahead, and names the year', (given, year) => {
		expect(() => inYangon(given)).toThrow(`Scheduled At is more than a year ahead, in ${year}`);
	});

	test.each([
		...['2026-02-30', '2027-02-29T10:00', '2026-13-01', '2026-11-21T25:00', '2026-11-21T24:01'],
		...['2026-11-21T10:60', '2026-11-21T10:00+25:00', '2026-11-21T10:00 PM', '2026-W48-1'],
		...['2026-325', '21.11.2026', '11/21/2026', 'tomorrow', '20261121T100000 06:30'],
		...[1795000000000, true, {}, [], new Date(Number.NaN)],
	])('rejects %p as no date', (given) => {
		expect(() => inYangon(given)).toThrow(/^Scheduled At is not a valid date/);
	});

	test.each(['', '  ', null, undefined, DateTime.invalid('x')])('calls %p empty', (given) => {
		expect(() => inYangon(given)).toThrow('Scheduled At is empty');
	});

	test('rejects the past and the present moment, as the zone has it', () => {
		expect(() => inYangon('2026-11-20T06:29:59')).toThrow(/in the past/);
		expect(() => inYangon('2026-11-20T06:30:00')).toThrow(
			expect.objectContaining({ hint: expect.stringContaining('now 2026-11-20 06:30:00') }),
		);
		expect(inYangon('2026-11-20T06:30:01')).toBe('2026-11-20 06:30:01');
		expect(schedule('2026-11-20T00:00:01', 'UTC')).toBe('2026-11-20 00:00:01');
	});

	test('rejects the hour that clocks skip, and accepts the one that comes twice', () => {
		const inBerlin = (value: string) => schedule(value, 'Europe/Berlin', 'UTC');
		expect(() => inBerlin('2027-03-28T02:30')).toThrow(/does not exist in Europe\/Berlin/);
		expect(inBerlin('2027-03-28T03:00')).toBe('2027-03-28 01:00:00');
		expect(inBerlin('2027-10-31T02:30')).toBe('2027-10-31 00:30:00');
		expect(inBerlin('2027-10-31T02:30+01:00')).toBe('2027-10-31 01:30:00');
	});

	test('says in the zone of the user what is in the past', () => {
		expect(() => schedule('2026-11-20T07:59', 'Asia/Singapore', 'Asia/Yangon')).toThrow(
			'"2026-11-20 07:59:00" in Asia/Singapore',
		);
	});

	test.each([
		['2026-12-05', 'Add one, for example {{ $json.due_date }} 09:00.'],
		[' 20261205 ', 'Add one, for example {{ $json.due_date }} 09:00.'],
		[46_361, 'Add one, for example {{ Number($json.due_date) + 0.375 }} for 09:00.'],
		['46361', 'Add one, for example {{ Number($json.due_date) + 0.375 }} for 09:00.'],
	])('rejects %p, which has no time of day, and says how to add one', (given, hint) => {
		expect(() => inYangon(given)).toThrow(/^Scheduled At has no time of day: /);
		expect(() => inYangon(given)).toThrow(expect.objectContaining({ hint }));
	});

	test('agrees with luxon for every instant and zone', () => {
		const zones = ['Asia/Yangon', 'America/New_York', 'Europe/London', 'Asia/Kathmandu', 'UTC'];
		const instants = fc.date({
			min: new Date('2026-11-21T00:00:00Z'),
			max: new Date('2027-11-20T00:00:00Z'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(
				instants,
				fc.constantFrom(...zones),
				fc.constantFrom('Asia/Yangon', 'Asia/Singapore', 'UTC'),
				(instant, zone, serviceZone) => {
					const inZone = DateTime.fromJSDate(instant, { zone });
					const expected = inZone.setZone(serviceZone).startOf('second');
					const sent = expected.toFormat('yyyy-MM-dd HH:mm:ss');
					expect(schedule(instant, zone, serviceZone)).toBe(sent);
					expect(schedule(inZone.toISO(), zone, serviceZone)).toBe(sent);
					expect(serviceTimeToUtc(sent, serviceZone)).toBe(expected.toUTC().toISO());
				},
			),
		);
	});

	test('rejects by InputError only, whatever comes', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' })), (value) => {
				try {
					expect(inYangon(value)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
		);
	});
});
