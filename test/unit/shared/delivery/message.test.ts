import { ServiceError } from '../../../../nodes/shared/client/failure';
import { step, type Act, type Event } from '../../../../nodes/shared/delivery/message';
import { newAttempt, windowOf, type Message } from '../../../../nodes/shared/delivery/state';

const account = 'account';
const sent = { message: 'Hello', from: 'MyShop', account };
const record = { messageId: 'a', message: 'Hello', status: 'Accepted' };
const lost = ServiceError.of({ status: 502 });
const timeOut = ServiceError.of({ status: 504 });
const rejection = ServiceError.of({ status: 400, words: 'Invalid number' });
const closed = ServiceError.of({ status: 403 });
const outage = ServiceError.of({ status: 503 });
const busy = ServiceError.of({ status: 429 });
const unpaid = ServiceError.of({ status: 402 });

type Told = [at: number, event: Event];
const send = (at: number, request = 'r1'): Told => [at, { is: 'sent', sent, request }];
const unclear = (at: number, failure = lost): Told => [at, { is: 'unclear', failure }];
const notSeen = (at: number, more: Partial<Extract<Event, { is: 'notSeen' }>> = {}): Told => [
	...([at, { is: 'notSeen', says: 'nothing', ...more }] as Told),
];

function tell(events: Told[], isSentOnce = false): { message: Message; next: Act } {
	let message: Message = { saved: { state: 'open' }, attempt: newAttempt };
	let next: Act = 'send';
	for (const [at, event] of events) {
		const after = step(message, event, at, { isSentOnce });
		message = { saved: after.saved, attempt: after.attempt };
		next = after.next;
	}
	return { message, next };
}
const nextOf = (...events: Told[]) => tell(events).next;
const unknown = (history: string, more: object = {}) => ({
	tell: { kind: 'outcomeUnknown', mayHaveActed: true, facts: { history, ...more } },
});

describe('a message', () => {
	test.each<[string, Told[], string | object]>([
		['is sent first of all', [[0, { is: 'begun', account }]], 'send'],
		['waits for its response', [send(0)], 'wait'],
		['is told once it is accepted', [send(0), [1, { is: 'accepted', record }]], { tell: record }],
		[
			'is told once it is rejected',
			[send(0), [1, { is: 'rejected', failure: rejection }]],
			{ tell: rejection },
		],
		['is looked up soon after a lost response', [send(0), unclear(1000)], { pollAt: 1300 }],
		[
			'is looked up again, less and less often',
			[send(0), unclear(1000), notSeen(4000)],
			{ pollAt: 6000 },
		],
		['and not twice at one time', [send(0), unclear(0), notSeen(300)], { pollAt: 1000 }],
		['is sent again after a minute', [send(0), unclear(0), notSeen(60_000)], 'send'],
		[
			'is not, if another execution has sent it since, with Skip If Already Sent',
			[send(0), unclear(0), notSeen(60_000, { sentSince: record })],
			{ tell: record },
		],
		[
			'is not sent again within two after a time-out',
			[send(0), unclear(0, timeOut), notSeen(119_000)],
			{ pollAt: 120_000 },
		],
		['is sent again after those', [send(0), unclear(0, timeOut), notSeen(120_000)], 'send'],
		[
			'is told if history shows one that may be it',
			[send(0), unclear(500), notSeen(60_500, { says: 'uncertain' })],
			unknown('uncertain', { status: 502, requests: 1, waitedMs: 60_000 }),
		],
		[
			'stays in doubt for a moment in which history cannot be read',
			[send(0), unclear(0), notSeen(1000, { says: 'unreadable', failure: outage })],
			{ pollAt: 2500 },
		],
		[
			'is told once history could not be read for 15 seconds',
			[send(0), unclear(0), notSeen(15_000, { says: 'unreadable', failure: outage })],
			unknown('unreadable'),
		],
		[
			'is told if history cannot be read for a minute',
			[send(0), unclear(0), notSeen(60_000, { says: 'unreadable', failure: outage })],
			unknown('unreadable'),
		],
		[
			'is told at once if it never can',
			[send(0), unclear(0), notSeen(300, { says: 'unreadable', failure: closed })],
			unknown('unreadable'),
		],
		[
			'is told if others of its request were accepted',
			[send(0), unclear(0), [1, { is: 'othersAccepted' }], notSeen(60_000)],
			unknown('partly'),
		],
		[
			'is sent three times at most',
			[0, 1, 2].flatMap((n) => [
				send(n * 70_000, `r${n}`),
				unclear(n * 70_000),
				notSeen(n * 70_000 + 60_000),
			]),
			unknown('nothing', { requests: 3 }),
		],
		[
			'of a rejected request is looked up once, four seconds later',
			[send(0), unclear(0, rejection)],
			{ pollAt: 4000 },
		],
		['and then sent again', [send(0), unclear(0, rejection), notSeen(4000)], 'send'],
		[
			'even with a key that cannot read history',
			[send(0), unclear(0, rejection), notSeen(4000, { says: 'unreadable', failure: closed })],
			'send',
		],
		[
			'but not if history cannot be read for the moment',
			[send(0), unclear(0, rejection), notSeen(4000, { says: 'unreadable', failure: outage })],
			unknown('unreadable'),
		],
		[
			'of a bulk request with a 429 is looked up before it is sent again',
			[send(0), unclear(0, busy)],
			{ pollAt: 4000 },
		],
		['and then sent again, too', [send(0), unclear(0, busy), notSeen(4000)], 'send'],
		[
			'four times at most',
			[0, 1, 2, 3].flatMap((n) => [
				send(n * 5000),
				unclear(n * 5000, busy),
				notSeen(n * 5000 + 4000),
			]),
			{ tell: busy },
		],
		[
			'of a bulk request with a 403 is told when history does not show it',
			[send(0), unclear(0, closed), notSeen(4000)],
			{ tell: closed },
		],
		[
			'of a bulk request with a 402 is uncertain where history shows others of it',
			[send(0), unclear(0, unpaid), [4000, { is: 'othersAccepted' }], notSeen(60_000)],
			unknown('partly', { status: 402 }),
		],
		[
			'in doubt is never told as not sent',
			[
				send(0),
				unclear(0),
				notSeen(60_000),
				send(61_000),
				[61_200, { is: 'rejected', failure: closed }],
			],
			unknown('nothing', { status: 403, requests: 2 }),
		],
		[
			'in doubt is told as such when the execution is stopped',
			[send(0), unclear(0), [100, { is: 'stopped', failure: new ServiceError('cancelled') }]],
			unknown('nothing'),
		],
		['that was not sent is told why', [[0, { is: 'stopped', failure: closed }]], { tell: closed }],
		[
			'left by a process that ended stays in doubt as long as after a time-out',
			[send(0), [5000, { is: 'interrupted' }], notSeen(60_000)],
			{ pollAt: 75_000 },
		],
		[
			'is sent again after that',
			[send(0), [5000, { is: 'interrupted' }], notSeen(120_000)],
			'send',
		],
		[
			'of another account is told',
			[send(0), unclear(0), [9, { is: 'begun', account: 'another' }]],
			unknown('otherAccount'),
		],
	])('%s', (_, events, next) => {
		const found = tell(events).next;
		if (typeof next === 'string') expect(found).toBe(next);
		else expect(found).toMatchObject(next);
	});

	test('with Report is never sent again while it is in doubt, and a minute after a rejection', () => {
		const next = (...events: Told[]) => tell(events, true).next;
		expect(next(send(0), unclear(0), notSeen(60_000))).toMatchObject(unknown('nothing'));
		expect(next(send(0), unclear(0, rejection))).toEqual({ pollAt: 60_000 });
		expect(next(send(0), unclear(0, rejection), notSeen(60_000))).toBe('send');
		const unread = notSeen(60_000, { says: 'unreadable', failure: closed });
		expect(next(send(0), unclear(0, rejection), unread)).toMatchObject(unknown('unreadable'));
		expect(next(send(0), unclear(0, closed), unread)).toEqual({ tell: closed });
	});

	test('counts no rejection of its request among its three', () => {
		const rejected = [send(0), unclear(0, rejection), notSeen(4000)];
		const { message } = tell([...rejected, ...rejected]);
		expect(message).toMatchObject({ saved: { state: 'open', doubts: 0 }, attempt: { unclear: 0 } });
	});

	test('in doubt by an earlier request stays so when a later one is rejected', () => {
		const { message } = tell([
			...[send(1000), unclear(2000), notSeen(62_000), send(63_000)],
			[64_000, { is: 'rejected', failure: rejection }],
		]);
		expect(message.saved).toMatchObject({ state: 'inDoubt', requests: 2 });
		expect(windowOf(message.saved)).toEqual({ from: 1000, to: 2000 + 120_000 });
	});

	test('keeps in the memory of the execution only what is needed', () => {
		const { message } = tell([send(0), [1, { is: 'accepted', record }]]);
		expect(JSON.parse(JSON.stringify(message.saved))).toEqual({
			...{ state: 'accepted', record, firstSentAt: 0, lastSentAt: 0, requests: 1 },
		});
		const spaced = { ...record, message: ' Hello\r\n' };
		expect(
			tell([send(0), [1, { is: 'accepted', record: spaced }]]).message.saved.sent,
		).toBeUndefined();
		const encrypted = { ...record, message: 'U2FsdGVk' };
		const { saved } = tell([send(0), [1, { is: 'accepted', record: encrypted }]]).message;
		expect(saved.sent?.message).toBe('Hello');
	});

	test('is not changed by an event, but returned as a new one', () => {
		const message: Message = Object.freeze({
			saved: Object.freeze({ state: 'open' as const }),
			attempt: newAttempt,
		});
		expect(step(message, { is: 'sent', sent, request: 'r1' }, 0, { isSentOnce: false })).not.toBe(
			message,
		);
		expect(nextOf()).toBe('send');
	});
});
