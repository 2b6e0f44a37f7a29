import { randomUUID } from 'node:crypto';

import { endpoints, type Endpoint } from '../../../../nodes/shared/client/address';
import { Brake, brakeTiming } from '../../../../nodes/shared/client/brake';
import { describeFailure } from '../../../../nodes/shared/client/texts';
import { ServiceError } from '../../../../nodes/shared/client/failure';

const second = 1_000;
const { send, sendBulk, sendByQuery, listMessages, requestOtp } = endpoints;

describe('the brake of an account', () => {
	let account = '';
	let passed = 0;
	const begin = Date.UTC(2026, 10, 26, 7, 32);
	beforeEach(() => {
		account = randomUUID();
		passed = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => 1_000_000 + passed);
		jest.spyOn(Date, 'now').mockImplementation(() => begin + passed);
	});
	afterEach(() => jest.restoreAllMocks());

	const open = () => new Brake(account, 'Asia/Yangon');
	const failureOf = (status: number) => ServiceError.of({ status });
	/** Fails in one execution after each of these times. */
	const fail = (after: number[], failure = failureOf(503), endpoint = send) => {
		const brake = open();
		for (const ms of after) {
			passed += ms;
			brake.noteFailure(endpoint, failure);
		}
		return brake;
	};
	const isDown = (endpoint: Endpoint = send) => open().findOutage(endpoint) !== undefined;

	test.each<[string, number[], ServiceError, boolean]>([
		['three failures over ten seconds', [0, 5 * second, 5 * second], failureOf(503), true],
		[
			'three without a connection',
			[0, 5 * second, 5 * second],
			ServiceError.of({ isUnsent: true }),
			true,
		],
		[
			'three time-outs',
			[0, 5 * second, 5 * second],
			ServiceError.of({ code: 'ECONNABORTED' }),
			true,
		],
		['two', [0, 10 * second], failureOf(503), false],
		['a hundred within a restart of two seconds', Array(100).fill(20), failureOf(503), false],
		['three texts that the service trips over', [0, 5 * second, 5 * second], failureOf(500), false],
		['a minute of nothing but 500', [0, 30 * second, 30 * second], failureOf(500), true],
		['a minute of nothing but redirects', [0, 30 * second, 30 * second], failureOf(302), true],
		['a few pages of a website', [0, 5 * second, 5 * second], failureOf(200), false],
		['rejections', [0, 5 * second, 5 * second], failureOf(400), false],
		['too many requests', [0, 5 * second, 5 * second], failureOf(429), false],
		['failures of another hour', [0, 3_600 * second, 3_600 * second], failureOf(503), false],
	])('after %s: %#', (_, after, failure, expected) => {
		fail(after, failure);
		expect(isDown()).toBe(expected);
	});

	test.each([
		['a success', (brake: Brake) => brake.noteSuccess(send)],
		['a rejection', (brake: Brake) => brake.noteFailure(send, failureOf(400))],
	])('begins anew after %s', (_, note) => {
		note(fail([0, 5 * second]));
		fail([5 * second]);
		expect(isDown()).toBe(false);
	});

	test('is of one account, surface and kind', () => {
		fail([0, 5 * second, 5 * second]);
		expect(
			[send, sendBulk, sendByQuery, listMessages, requestOtp].map((one) => isDown(one)),
		).toEqual([...[true, true, false, false, false]]);
		account = randomUUID();
		expect(isDown()).toBe(false);
	});

	test('of sends is not ended by reads that work, and at once by a send', () => {
		const brake = fail([0, 5 * second, 5 * second]);
		brake.noteSuccess(listMessages);
		expect(isDown()).toBe(true);
		brake.noteSuccess(sendBulk);
		expect(isDown()).toBe(false);
	});

	test('lets new executions fail at once, with the time in the zone of the workflow, but one in ten seconds', () => {
		fail([0, 5 * second, 5 * second]);
		passed += 9 * second;
		const held = open().hold(send);
		expect(held).toMatchObject({
			kind: 'unavailable',
			mayHaveActed: false,
			facts: { since: '2026-11-26T07:32:00.000Z' },
		});
		const { message, description } = describeFailure(held as ServiceError);
		expect(message).toBe('The service has been failing since 14:02 (HTTP 503)');
		expect(description).toMatch(
			/^The message was not sent\. The nodes try again every 10 seconds\./,
		);
		passed += second;
		expect([open().hold(send), open().hold(send)]).toMatchObject([
			undefined,
			{ kind: 'unavailable' },
		]);
	});

	test('lets an execution under way wait for the probe, and fail after half a minute', () => {
		const brake = open();
		expect(brake.hold(send)).toBeUndefined();
		fail([0, second, second]);
		// Not known to be down, but three in a row: thousands must not follow.
		expect(brake.hold(send)).toBe('wait');
		passed += 10 * second;
		expect(brake.hold(send)).toBeUndefined();
		brake.noteFailure(send, failureOf(503));
		for (let waited = 10; waited < 30; waited += 10) {
			expect(brake.hold(send)).toBe('wait');
			passed += 10 * second;
			if (waited < 20) expect(brake.hold(send)).toBeUndefined();
			brake.noteFailure(send, failureOf(503));
		}
		expect(brake.hold(send)).toMatchObject({ kind: 'unavailable' });
	});

	test('lets a new execution, which rests a minute after each failure, try for half a minute, too', () => {
		fail([0, 5 * second, 5 * second]);
		passed += 60 * second;
		const brake = open();
		expect(brake.hold(send)).toBeUndefined();
		brake.noteFailure(send, failureOf(503));
		passed += 60 * second;
		expect(brake.hold(send)).toMatchObject({ kind: 'unavailable' });
		expect(open().hold(send)).toBeUndefined();
	});

	test('lets an execution under way go on as soon as the service works', () => {
		const brake = open();
		brake.hold(send);
		fail([0, 5 * second, 5 * second]);
		expect(brake.hold(send)).toBe('wait');
		open().noteSuccess(send);
		expect(brake.hold(send)).toBeUndefined();
	});

	test('remembers a thousand at most', () => {
		fail([0, 5 * second, 5 * second]);
		const first = account;
		for (let n = 0; n < 1_000; n += 1) {
			account = `${first} ${n}`;
			fail([0]);
		}
		account = first;
		expect(isDown()).toBe(false);
	});

	test('is of ten seconds', () => {
		expect(brakeTiming).toMatchObject({ failures: 3, spreadMs: 10_000, probeEveryMs: 10_000 });
	});
});
