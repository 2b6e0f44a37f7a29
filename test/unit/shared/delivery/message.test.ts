import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	contentOf,
	noteDoubt,
	noteRequest,
	resumeDoubt,
	toParts,
	windowOf,
	type Doubt,
	type Outgoing,
} from '../../../../nodes/shared/delivery/message';

const request = {
	to: '959779100001',
	message: 'Hello',
	from: 'MyShop',
	clientReference: 'order-1',
};
const toMessage = (more: object = {}) =>
	({ request, note: {}, isUsersReference: true, isSentOnce: false, ...more }) as Outgoing;
const lost = ServiceError.of({ status: 502 });
const late = ServiceError.of({ status: 504 });
const rejected = ServiceError.of({ status: 400 });
const lookUpMs = ({ lookUp }: Outgoing) => Math.round(lookUp!.until - lookUp!.from);

describe('a message', () => {
	test('is in doubt from its request on, by what was sent', () => {
		const message = toMessage({ lookUp: { from: 0, until: 1, isLast: false } });
		noteRequest(message, 'r1', 'account');
		const { doubt, requests } = message.note;
		expect(doubt).toMatchObject({ isLate: true, request: 'r1', sent: { account: 'account' } });
		expect([requests, message.tries, message.lookUp]).toEqual([1, 1, undefined]);
		Object.assign(message, { request: { ...request, message: 'Now', from: 'Other' } });
		expect(contentOf(message)).toMatchObject({ message: 'Hello', from: 'MyShop' });
		const bulk = toMessage({ isUsersReference: false });
		noteRequest(bulk, 'r1', 'account');
		expect(bulk.note.doubt!.sent).not.toHaveProperty('clientReference');
	});

	test.each<[string, ServiceError, object, boolean, number]>([
		['a lost response', lost, {}, false, 60_000],
		['a time-out', late, {}, false, 120_000],
		['a lost response, and a time-out in an earlier request', lost, {}, true, 120_000],
		['the second lost response of an attempt', lost, { tries: 1 }, false, 10_000],
		['a lost response while somebody waits', lost, { isWatched: true }, false, 3_500],
		['a rejection of a bulk request', rejected, {}, false, 4_000],
		['the same, if it is sent once', rejected, { isSentOnce: true }, false, 60_000],
	])(
		'is looked up after %s',
		(_, failure, { isWatched, ...more }: { isWatched?: boolean }, wasLate, expected) => {
			const message = toMessage(more);
			noteRequest(message, 'r1', 'account');
			if (wasLate) message.before = { isLate: true } as Doubt;
			noteDoubt(message, failure, isWatched);
			expect(lookUpMs(message)).toBe(expected);
			expect(message.note.doubt?.isLate).toBe(wasLate || failure === late);
		},
	);

	test.each([
		['lost', false, 10_000, 50_000],
		['late', true, 10_000, 110_000],
		['lost long ago', false, 3_600_000, -3_540_000],
	])('of an earlier attempt is looked up for the rest of its time: %s', (_, isLate, ago, rest) => {
		const message = toMessage();
		const until = Date.now() - ago;
		const sent = { message: 'Hello', from: 'MyShop', account: 'account' };
		resumeDoubt(message, { since: until - 1000, until, isLate, request: 'r1', sent });
		expect(Math.abs(lookUpMs(message) - rest)).toBeLessThan(2000);
	});

	test.each([-3_600_000, 3_600_000])(
		'may have been accepted since its request, although the clock was set by %d ms',
		(ms) => {
			const message = toMessage();
			const before = Date.now();
			noteRequest(message, 'r1', 'account');
			jest.spyOn(Date, 'now').mockReturnValue(before + ms);
			noteDoubt(message, lost);
			const { from, to } = windowOf(message);
			for (const at of [before, before + ms]) {
				expect(from).toBeLessThanOrEqual(at + 1000);
				expect(to).toBeGreaterThan(at + 60_000);
			}
			expect(lookUpMs(message)).toBe(60_000);
			jest.restoreAllMocks();
		},
	);

	test('goes out in a part of its own size, with its neighbors', () => {
		const messages = [undefined, undefined, undefined, 2, 2, 2, 1, 1].map((most) =>
			toMessage({ most }),
		);
		expect(toParts(messages, 100).map(({ length }) => length)).toEqual([3, 2, 1, 1, 1]);
	});
});
