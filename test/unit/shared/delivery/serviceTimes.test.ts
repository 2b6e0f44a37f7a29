import { listZones, ReadingTimes } from '../../../../nodes/shared/delivery/serviceTimes';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const offsets = { 'Asia/Yangon': 6.5 * hour, UTC: 0, 'Asia/Singapore': 8 * hour };
type Zone = keyof typeof offsets;

/** As a service writes it in a zone. */
const write = (at: number, zone: Zone) =>
	new Date(at + offsets[zone]).toISOString().slice(0, 19).replace('T', ' ');
/** A reading whose newest record was created now, unless a test says otherwise. */
const read = (zones: Zone[], newest?: string, serviceTime?: number) => {
	const times = new ReadingTimes(zones);
	const messages = newest === undefined ? [] : [{ createdAt: newest }];
	times.note({ messages, serviceTime });
	return times;
};
/** A window that ended a minute ago, in whole seconds. */
const to = Math.floor(Date.now() / 1000) * 1000 - minute;
const window = { from: to - 30 * second, to };

describe('the zones of a service', () => {
	test('are that of the credential, that of the service and UTC, each once', () => {
		expect(listZones('Asia/Singapore')).toEqual(['Asia/Singapore', 'Asia/Yangon', 'UTC']);
		expect(listZones('UTC')).toEqual(['UTC', 'Asia/Yangon']);
	});

	test('are told apart by a record that was new in a response, and are none if it fits none', () => {
		const zones = listZones('Asia/Singapore') as Zone[];
		const placeBy = (createdAt: unknown) => {
			const times = new ReadingTimes(zones, { createdAt, at: Date.now() });
			times.note({ messages: [] });
			return times.place({ createdAt: write(to, 'UTC') }, window);
		};
		for (const ago of [-10 * minute, 0, 10 * minute])
			expect(placeBy(write(Date.now() - ago, 'UTC'))).toBe('inside');
		expect(placeBy(write(Date.now(), 'Asia/Singapore'))).toBe('outside');
		expect(placeBy(write(Date.now() - 3 * hour, 'UTC'))).toBe('uncertain');
		for (const nothing of [
			undefined,
			null,
			'soon',
			'2026-13-45 99:00:00',
			`${write(Date.now(), 'UTC')} GMT`,
		])
			expect(placeBy(nothing)).toBe('uncertain');
	});
});

describe('the time of a record', () => {
	const place = (at: number, zones: Zone[], newest?: string, serviceTime?: number) =>
		read(zones, newest, serviceTime).place({ createdAt: write(at, zones[0]) }, window);

	test.each([
		['in the middle of the window', to - 15 * second, 'inside'],
		['at its begin', to - 30 * second, 'inside'],
		['three seconds after it, as clocks drift', to + 3 * second, 'inside'],
		['four seconds after it', to + 4 * second, 'uncertain'],
		['four seconds before it, and one for the fraction', to - 35 * second, 'uncertain'],
		['15 minutes after it, as machines of a service differ', to + 15 * minute, 'uncertain'],
		['more than 15 minutes after it', to + 15 * minute + second, 'outside'],
		['more than 15 minutes before it', to - 17 * minute, 'outside'],
	])('is told %s', (_, at, expected) => {
		expect(place(at, ['UTC'])).toBe(expected);
	});

	test.each([
		undefined,
		null,
		'',
		'yesterday',
		20261120,
		'2026-13-40 99:00:00',
		'on 2026-11-20 09:00:00',
	])('is uncertain for %p', (createdAt) => {
		const record = { createdAt: createdAt as string };
		expect(read(['UTC']).place(record, window)).toBe('uncertain');
	});

	test('is uncertain where it lies inside in one of two zones', () => {
		const zones: Zone[] = ['UTC', 'Asia/Yangon'];
		const inYangon = { createdAt: write(to, 'Asia/Yangon') };
		expect(read(zones).place({ createdAt: write(to, 'UTC') }, window)).toBe('uncertain');
		// In UTC it would lie in the future, and does not.
		expect(read(zones, inYangon.createdAt).place(inYangon, window)).toBe('inside');
	});

	test('is outside only where it is so in every zone', () => {
		const zones: Zone[] = ['UTC', 'Asia/Yangon'];
		const createdAt = write(to - 3 * hour, 'UTC');
		expect(read(zones).place({ createdAt }, window)).toBe('outside');
	});

	test('is read in a zone that a record of another page rules out the others for', () => {
		const times = read(['Asia/Yangon', 'UTC'], write(to - hour, 'UTC'));
		const record = { createdAt: write(to - hour, 'UTC') };
		expect(times.place(record, { from: to - hour, to })).toBe('uncertain');
		times.note({ messages: [{ createdAt: write(to, 'Asia/Yangon') }] });
		expect(times.place(record, { from: to - hour, to })).toBe('outside');
	});

	test('is uncertain if it is in the future in all zones', () => {
		expect(place(to + 40 * minute, ['UTC'])).toBe('uncertain');
	});

	test('may lie in an unknown zone, as long as no response has shown the zone', () => {
		const zones = listZones('Asia/Yangon') as Zone[];
		const placeSent = (offset: number, shown = false, serviceTime?: number) => {
			const written_ = (at: number) => new Date(at + offset).toISOString().slice(0, 19);
			const times = new ReadingTimes(
				zones,
				shown ? { createdAt: write(Date.now(), 'Asia/Yangon'), at: Date.now() } : undefined,
			);
			const record = { createdAt: written_(to) };
			times.note({ messages: [record], serviceTime });
			return [times.place(record, window), times.place(record, window, true)];
		};
		for (const hours of [5.5, 4.5, 1, 5.75])
			expect(placeSent(hours * hour)).toEqual(['outside', 'uncertain']);
		// No zone is so many minutes from another. Without a Date header, the service's clock can be wrong.
		expect(placeSent(5.4 * hour, false, Date.now())).toEqual(['outside', 'outside']);
		expect(placeSent(5.4 * hour)).toEqual(['outside', 'uncertain']);
		expect(placeSent(5.5 * hour, true)).toEqual(['outside', 'outside']);
	});

	test('lies in no zone in which the latest record would be in the future', () => {
		const times = new ReadingTimes(listZones('Asia/Yangon'));
		const [latest, earlier] = [to, to - 3 * hour].map((at) => ({
			createdAt: write(at, 'Asia/Yangon'),
		}));
		times.note({ messages: [latest, earlier], serviceTime: Date.now() });
		expect(times.place(earlier, window, true)).toBe('outside');
	});

	test('is read as both moments of an hour that clocks repeat', () => {
		const fallsBackAt = Date.UTC(2030, 9, 27, 1);
		const berlin = { createdAt: '2030-10-27 02:30:00' };
		const placeAt = (at: number) => {
			jest.spyOn(Date, 'now').mockReturnValue(at + 20 * second);
			const times = new ReadingTimes(['Europe/Berlin']);
			times.note({ messages: [berlin] });
			return times.place(berlin, { from: at - 10 * second, to: at + 10 * second });
		};
		expect(placeAt(fallsBackAt - 30 * minute)).toBe('inside');
		expect(placeAt(fallsBackAt + 30 * minute)).toBe('uncertain');
		jest.restoreAllMocks();
	});

	test('is uncertain where the machine slept since: its two clocks differ', () => {
		const asleep = Date.now() - hour;
		const times = new ReadingTimes(['UTC'], undefined, () => asleep);
		const record = { createdAt: write(asleep - 10 * second, 'UTC') };
		times.note({ messages: [record], serviceTime: Date.now() });
		expect(times.place(record, { from: asleep - 20 * second, to: asleep })).toBe('uncertain');
		const awake = { createdAt: write(Date.now(), 'UTC') };
		expect(times.place(awake, { from: asleep - 9 * hour, to: asleep - 8 * hour })).toBe('outside');
		expect(times.earliestAtService(0)).toBeLessThan(minute);
	});

	test('is corrected by the clock of the service, as the header Date shows it', () => {
		const ahead = 40 * minute;
		const at = to + ahead;
		expect(place(at, ['UTC'], undefined, Date.now() + ahead)).toBe('inside');
		expect(place(to, ['UTC'], undefined, Date.now() + ahead)).toBe('outside');
	});

	test.each(['.000Z', 'Z', '+06:30', '+0630', '-03:00'])(
		'is read in the zone that it names: %s',
		(zone) => {
			const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
			const offset =
				(sign === '-' ? -1 : 1) * (Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute);
			const writeIn = (at: number) => new Date(at + offset).toISOString().slice(0, 19) + zone;
			const placeIn = (at: number, newest = at) =>
				read(['Asia/Yangon', 'UTC'], writeIn(newest)).place({ createdAt: writeIn(at) }, window);
			expect(placeIn(to)).toBe('inside');
			expect(placeIn(to - 6.5 * hour)).toBe('outside');
			// A service that writes its local time with a Z is not believed.
			expect(placeIn(to, to + 6.5 * hour)).toBe('uncertain');
		},
	);

	test('rules out no zone for a clock of the service that is ahead', () => {
		const ahead = 2 * hour;
		const zones: Zone[] = ['Asia/Yangon', 'UTC'];
		const newest = write(Date.now() + ahead, 'Asia/Yangon');
		expect(place(to + ahead, zones, newest, Date.now() + ahead)).toBe('inside');
	});
});

describe('the end of a reading', () => {
	const page = (...ages: number[]) => ({
		messages: ages.map((age) => ({ createdAt: write(to - age, 'UTC') })),
	});
	const isBefore = (...ages: number[]) => read(['UTC']).isBefore(page(...ages), to);

	test.each([
		[[hour, 2 * hour], true],
		[[10 * minute, 2 * hour], false],
		[[2 * hour, hour], false],
		[[hour, hour], false],
		// Not in order: what is sought may be on any page.
		[[hour, 3 * hour, 2 * hour], false],
		[[hour, hour - 3 * second, 2 * hour], true],
		// In the future, so in no known zone.
		[[-hour, 0], false],
		[[], false],
	])('is a page of the ages %j: %p', (ages, expected) => {
		expect(isBefore(...ages)).toBe(expected);
	});

	test('is none that another zone could make later', () => {
		const times = read(['UTC', 'Asia/Yangon'], write(to - hour, 'UTC'));
		// In the zone to the west of the two it is the later one.
		const { messages } = page(-5 * hour, 0);
		expect(times.isBefore({ messages }, to)).toBe(false);
	});
});
