import { describeMoment } from '../../../../nodes/shared/input/time';
import {
	moveIntoWindow,
	sendWindow,
	requireOpen,
	type SendWindow,
} from '../../../../nodes/shared/options/sendWindow';

const every = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const windowOf = (window: object) => sendWindow.read({ window })!;

/** The moment to which one is moved, in UTC. */
const move = (window: SendWindow, moment: string) =>
	new Date(moveIntoWindow(window, Date.parse(moment))).toISOString().replace(/:00\.000Z$/, 'Z');

describe('a send window', () => {
	const usual = windowOf({});

	// 2026-11-23 is a Monday; Yangon is six and a half hours ahead of UTC.
	test.each([
		['2026-11-23T02:30Z', '2026-11-23T02:30Z'],
		['2026-11-23T11:29Z', '2026-11-23T11:29Z'],
		['2026-11-23T11:30Z', '2026-11-24T02:30Z'],
		['2026-11-23T02:29Z', '2026-11-23T02:30Z'],
		['2026-11-27T11:30Z', '2026-11-30T02:30Z'],
		['2026-11-21T05:00Z', '2026-11-23T02:30Z'],
	])('from Monday to Friday, 09:00 to 18:00 in Yangon, moves %s to %s', (moment, expected) => {
		expect(move(usual, moment)).toBe(expected);
	});

	const nights = { from: '20:00', until: '6:00', timeZone: 'UTC' };
	test.each([
		['2026-11-23T19:59Z', '2026-11-23T20:00Z'],
		['2026-11-24T05:59Z', '2026-11-24T05:59Z'],
		['2026-11-24T06:00Z', '2026-11-30T20:00Z'],
	])('over midnight belongs to the day on which it opens: %s to %s', (moment, expected) => {
		expect(move(windowOf({ ...nights, days: ['monday'] }), moment)).toBe(expected);
	});

	test('can be all of a day', () => {
		const sundays = windowOf({ days: ['Sunday'], from: '00:00', until: '24:00', timeZone: 'UTC' });
		expect(move(sundays, '2026-11-22T23:59Z')).toBe('2026-11-22T23:59Z');
		expect(move(sundays, '2026-11-23T00:00Z')).toBe('2026-11-29T00:00Z');
	});

	// New York puts its clocks forward on 2027-03-14 at 02:00, and back on 2026-11-01 at 02:00.
	const inNewYork = { days: every, timeZone: 'America/New_York' };
	test.each([
		[{ from: '09:00', until: '18:00' }, '2026-11-01T13:59Z', '2026-11-01T14:00Z'],
		[{ from: '09:00', until: '18:00' }, '2026-10-31T12:59Z', '2026-10-31T13:00Z'],
		// Skipped: it opens when clocks show 03:00 after 01:59.
		[{ from: '02:30', until: '05:00' }, '2027-03-14T06:59Z', '2027-03-14T07:00Z'],
		// Skipped as a whole.
		[{ from: '02:10', until: '02:50' }, '2027-03-14T06:59Z', '2027-03-15T06:10Z'],
		// 01:30 comes twice: it opens at the first, and is open at the second.
		[{ from: '01:30', until: '05:00' }, '2026-11-01T05:29Z', '2026-11-01T05:30Z'],
		[{ from: '01:30', until: '05:00' }, '2026-11-01T06:10Z', '2026-11-01T06:10Z'],
	])('keeps to the clocks of its zone: %j, %s to %s', (times, moment, expected) => {
		expect(move(windowOf({ ...inNewYork, ...times }), moment)).toBe(expected);
	});

	test('is open from the moment on to which it moves another', () => {
		for (let hour = 0; hour < 24 * 14; hour += 1) {
			const moment = Date.parse('2026-10-25T00:20Z') + hour * 3_600_000;
			const moved = moveIntoWindow(windowOf({ ...inNewYork, ...nights }), moment);
			expect(moved).toBeGreaterThanOrEqual(moment);
			expect(moveIntoWindow(windowOf({ ...inNewYork, ...nights }), moved)).toBe(moved);
		}
	});

	test('that is closed says when it opens', () => {
		expect(() => requireOpen(usual, Date.parse('2026-11-21T05:00Z'))).toThrow(
			'Send Window is closed and opens on Monday 2026-11-23 at 09:00 (Asia/Yangon)',
		);
		expect(() => requireOpen(usual, Date.parse('2026-11-23T05:00Z'))).not.toThrow();
	});

	test.each([
		[{ days: [] }, 'has no days'],
		[{ days: 'monday' }, 'has no days'],
		[{ days: ['Mon'] }, 'an unknown day: "Mon"'],
		[{ from: '9' }, 'an invalid time in From: "9"'],
		[{ until: '24:01' }, 'an invalid time in Until: "24:01"'],
		[{ from: '10:60' }, 'time in From'],
		[{ from: '10:00', until: '10:00' }, 'opens and closes at the same time'],
		[{ timeZone: 'Yangon' }, 'an unknown time zone: "Yangon"'],
	])('%j is rejected', (window, words) => {
		expect(() => windowOf(window)).toThrow(words);
	});

	test.each([[undefined], [{}], ['09:00']])('%j has no window', (value) => {
		expect(() => sendWindow.read(value)).toThrow('Send Window is empty');
	});

	test('that can never open is rejected', () => {
		const never = { ...windowOf({}), days: new Set<number>() };
		expect(() => moveIntoWindow(never, 0)).toThrow('does not open within a week');
	});

	test('is told in the time of its zone', () => {
		expect(describeMoment(Date.parse('2026-11-22T18:00Z'), 'Asia/Yangon')).toBe(
			'Monday 2026-11-23 at 00:30 (Asia/Yangon)',
		);
	});
});
