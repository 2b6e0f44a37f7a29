import { HistoryLag } from '../../../../nodes/shared/delivery/HistoryLag';

const sentAt = 1_000_000;
const named = (index: number) => ({ messageId: `m${index}` });
const messages = Array.from({ length: 20 }, (_, index) => named(index));
/** Of a doubt that is ten seconds old. */
const endedAt = sentAt + 500;
const lookedAt = endedAt + 10_000;

function watchAll(): HistoryLag {
	const lag = new HistoryLag();
	for (const message of messages) lag.watch(message as never, sentAt);
	lag.watch(named(20) as never, sentAt + 1_000);
	return lag;
}
const all = [...messages, named(20)] as never[];

describe('the lag of history', () => {
	test('ends a doubt early where all that was sent is there in a third of the time', () => {
		const lag = watchAll();
		lag.learn([], sentAt, sentAt + 2_900, sentAt + 2_950);
		lag.learn(all, sentAt, sentAt + 3_100, sentAt + 3_150);
		expect(lag.wouldHaveShown(endedAt, lookedAt)).toBe(true);
	});

	test('ends none where one message was missing later than that', () => {
		const lag = watchAll();
		lag.learn(all.slice(1), sentAt, sentAt + 3_100, sentAt + 3_150);
		lag.learn([], sentAt, sentAt + 4_000, sentAt + 4_050);
		expect(lag.wouldHaveShown(endedAt, lookedAt)).toBe(false);
	});

	test('is not made longer by a reading that takes long: what it shows is of its begin', () => {
		const lag = watchAll();
		lag.learn([], sentAt, sentAt + 2_900, sentAt + 9_000);
		lag.learn(all, sentAt, sentAt + 3_100, sentAt + 3_150);
		expect(lag.wouldHaveShown(endedAt, lookedAt)).toBe(true);
	});

	test('is not made shorter by it either: what a reading shows counts from its end', () => {
		const lag = watchAll();
		lag.learn(all, sentAt, sentAt + 100, sentAt + 9_000);
		expect(lag.wouldHaveShown(endedAt, lookedAt)).toBe(false);
	});
});
