import { KnownAccount } from '../../../../nodes/shared/delivery/KnownAccount';

const record = (id: string, to = '959779100001') => ({ messageId: id, to });

describe('KnownAccount', () => {
	test('is shared by all who ask for the same account, and by nobody else', () => {
		KnownAccount.of('one').noteRecordOfSend(record('a'), 'answer');
		expect(KnownAccount.of('one').isRecordOfSend(record('a'))).toBe(true);
		expect(KnownAccount.of('two').isRecordOfSend(record('a'))).toBe(false);
	});

	test('forgets the accounts that were not used for longest', () => {
		KnownAccount.of('kept').noteRecordOfSend(record('a'), 'answer');
		KnownAccount.of('forgotten').noteRecordOfSend(record('a'), 'answer');
		for (let n = 0; n < 49; n += 1) {
			KnownAccount.of(`other-${n}`);
			KnownAccount.of('kept');
		}
		expect(KnownAccount.of('kept').isRecordOfSend(record('a'))).toBe(true);
		expect(KnownAccount.of('forgotten').isRecordOfSend(record('a'))).toBe(false);
	});

	test('tells the recipients of one messageId apart', () => {
		const known = KnownAccount.of('recipients');
		known.noteRecordOfSend(record('a', '959779100001'), 'history');
		expect(known.isFoundInHistory(record('a', '09779100001'))).toBe(true);
		expect(known.isFoundInHistory(record('a', '959779100002'))).toBe(false);
	});

	test('remembers a send with a reference while it is under way, and for ten minutes after it', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
		const known = KnownAccount.of('references');
		const sent = Promise.resolve(record('a'));
		known.noteSend('order-1', sent);
		expect(known.findSend('order-1')).toEqual({ delivery: sent, isUnderWay: true });
		await sent;
		await Promise.resolve();
		expect(known.findSend('order-1')).toEqual({ delivery: sent, isUnderWay: false });
		jest.advanceTimersByTime(10 * 60_000 - 1);
		expect(known.findSend('order-1')).toBeDefined();
		jest.advanceTimersByTime(2);
		expect(known.findSend('order-1')).toBeUndefined();
		jest.useRealTimers();
	});

	test('keeps no more than ten thousand of those that ended, the newest', async () => {
		const known = KnownAccount.of('bounded');
		const sent = Promise.resolve(record('a'));
		for (let n = 0; n < 12_000; n += 1) known.noteSend(`order-${n}`, sent);
		await sent;
		await new Promise((resolve) => setImmediate(resolve));
		expect(known.findSend('order-1999')).toBeUndefined();
		expect(known.findSend('order-2000')).toBeDefined();
		expect(known.findSend('order-11999')).toBeDefined();
	});
});
