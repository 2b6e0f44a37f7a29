import {
	noteServiceTime,
	readWallTime,
	ServiceClock,
} from '../../../../nodes/shared/delivery/serviceClock';

const minute = 60_000;
const hour = 60 * minute;
/** A moment as a service in a zone so far ahead of UTC writes it. */
const write = (at: number, ahead = 6.5 * hour) =>
	new Date(at + ahead).toISOString().slice(0, 19).replace('T', ' ');
const now = Date.now();
const recent = { from: now - minute, to: now + minute };
let accounts = 0;
const newAccount = () => `clock-${(accounts += 1)}`;

describe('readWallTime', () => {
	test.each<[string, unknown, string]>([
		['a time without a zone', '2026-03-01 10:00:00', '2026-03-01T10:00:00Z'],
		['a time with fractions', '2026-03-01T10:00:00.123', '2026-03-01T10:00:00Z'],
		['a time of UTC', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
		['a time with an offset', '2026-03-01T10:00:00+06:30', '2026-03-01T03:30:00Z'],
	])('reads %s', (_, value, expected) => {
		expect(readWallTime(value)).toBe(Date.parse(expected));
	});

	test.each([undefined, null, '', '1 March 2026', 1_772_359_200])(
		'reads no time from %j',
		(value) => {
			expect(readWallTime(value)).toBeNaN();
		},
	);
});

describe('the clock of a service', () => {
	test('is that of the zone of the credential until a response shows it', () => {
		const account = newAccount();
		const place = (at: number, ahead: number) =>
			new ServiceClock(account, 'Asia/Yangon').place({ createdAt: write(at, ahead) }, recent);
		expect(place(now, 6.5 * hour)).toBe('inside');
		noteServiceTime(account, { createdAt: write(Date.now(), 9 * hour) });
		expect([place(now, 9 * hour), place(now, 6.5 * hour)]).toEqual(['inside', 'outside']);
	});

	test.each([
		['a second before', -minute - 1000, 'inside'],
		['a few minutes before', -6 * minute, 'uncertain'],
		['an hour before', -hour, 'outside'],
		['a few minutes after', 6 * minute, 'uncertain'],
		['an hour after', hour, 'outside'],
	])('puts a record of %s the window there', (_, apart, expected) => {
		const account = newAccount();
		noteServiceTime(account, { createdAt: write(Date.now()) });
		const clock = new ServiceClock(account, 'Asia/Yangon');
		expect(clock.place({ createdAt: write(now + apart) }, recent)).toBe(expected);
	});

	test('needs no zone where times say theirs', () => {
		const clock = new ServiceClock(newAccount(), 'Asia/Yangon');
		const createdAt = new Date(now).toISOString();
		expect(clock.place({ createdAt }, recent)).toBe('inside');
		expect(clock.placeSince({ createdAt }, now - hour)).toBe('inside');
	});

	test('cannot place a record without a time', () => {
		const clock = new ServiceClock(newAccount(), 'Asia/Yangon');
		expect(clock.place({ createdAt: 'today' }, recent)).toBe('uncertain');
	});

	describe('of which no response has shown the zone', () => {
		const record = (at: number) => ({ createdAt: write(at) });
		const open = (zone: string, ...listed: number[]) => {
			const clock = new ServiceClock(newAccount(), zone);
			clock.note(listed.map(record));
			return clock;
		};
		const since = now - 12 * hour;

		test.each([
			['nothing is later than now', 'Asia/Yangon', now - hour, 'inside', 'outside'],
			[
				'nothing is later than in 15 minutes',
				'Asia/Yangon',
				now + 14 * minute,
				'inside',
				'outside',
			],
			['the latest is later', 'UTC', now, 'uncertain', 'uncertain'],
		])(
			'trusts that of the credential for what was sent earlier if %s',
			(_, zone, latest, ...all) => {
				const clock = open(zone, now - 30 * hour, latest);
				const ahead = zone === 'UTC' ? -6.5 * hour : 0;
				const places = [since + minute, since - minute].map((at) =>
					clock.placeSince(record(at + ahead), since),
				);
				expect(places).toEqual(all);
			},
		);

		test('does not trust it for what may be sent again', () => {
			const clock = open('Asia/Yangon', now - hour);
			expect(clock.place(record(now - 7 * hour), recent)).toBe('uncertain');
			const listed = [record(now - 7 * hour)];
			expect([true, false].map((is) => clock.isBefore(listed, now, is))).toEqual([false, true]);
			expect(clock.isBefore([record(now - 21 * hour)], now, true)).toBe(true);
		});
	});
});
