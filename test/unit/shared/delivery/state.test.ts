import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	doubtLastsMs,
	newAttempt,
	nextPoll,
	toldUnreadAt,
	windowOf,
	type Attempt,
	type Message,
	type Saved,
} from '../../../../nodes/shared/delivery/state';

const inDoubt = (saved: Partial<Saved> = {}, attempt: Partial<Attempt> = {}): Message => ({
	saved: { state: 'inDoubt', firstSentAt: 1000, lastEndedAt: 2000, ...saved },
	attempt: { ...newAttempt, unclear: 1, ...attempt },
});

describe('a message in doubt', () => {
	test('may have been created from its first request to two minutes after its last one', () => {
		expect(windowOf(inDoubt().saved)).toEqual({ from: 1000, to: 2000 + 120_000 });
	});

	const failure = ServiceError.of({ status: 400 });

	test.each<[string, Message, number]>([
		['a minute after a lost response', inDoubt(), 60_000],
		['two after a time-out', inDoubt({ isAfterTimeOut: true }), 120_000],
		['ten seconds after its last request', inDoubt({}, { unclear: 2 }), 10_000],
		['four after a rejection', inDoubt({}, { failure, rejectedForMs: 4_000 }), 4_000],
		[
			'a minute after a rejection if others of its request were accepted',
			inDoubt({ isRequestAccepted: true }, { failure, rejectedForMs: 4_000 }),
			60_000,
		],
	])('stays so %s', (_, message, expected) => {
		expect(doubtLastsMs(message)).toBe(expected);
	});

	test('is looked up less and less often, once at its end, and after that once more for each lookup', () => {
		const polls = [-Infinity, 2300, 3000, 61_999, 62_000, 90_000];
		expect(polls.map((polledAt) => nextPoll(inDoubt({}, { polledAt })))).toEqual([
			...[2300, 3000, 4500, 62_000, 62_001, 90_001],
		]);
	});

	test('is told after 15 seconds without history, counted from the last lookup that read it', () => {
		expect(toldUnreadAt(inDoubt())).toBe(17_000);
		expect(toldUnreadAt(inDoubt({}, { readAt: 9_000 }))).toBe(24_000);
	});
});
