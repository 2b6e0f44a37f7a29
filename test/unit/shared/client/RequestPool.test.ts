import fc from 'fast-check';

import { RequestPool } from '../../../../nodes/shared/client/RequestPool';

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Counts what is in flight while requests of these lengths run. */
function createCounter() {
	const counter = { inFlight: 0, peak: 0, order: [] as number[] };
	const request = (index: number, ms: number, fails: boolean) => async () => {
		counter.inFlight += 1;
		counter.peak = Math.max(counter.peak, counter.inFlight);
		counter.order.push(index);
		await pause(ms);
		counter.inFlight -= 1;
		if (fails) throw new Error('failed');
		return index;
	};
	return { counter, request };
}

describe('RequestPool', () => {
	test('never has more in flight than its limit, and begins in the order of asking', async () => {
		const requests = fc.array(
			fc.record({ ms: fc.integer({ min: 0, max: 4 }), fails: fc.boolean() }),
			{ minLength: 1, maxLength: 30 },
		);
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 8 }), requests, async (limit, all) => {
				const pool = new RequestPool(limit);
				const { counter, request } = createCounter();
				const results = await Promise.allSettled(
					all.map(async ({ ms, fails }, index) => await pool.run(request(index, ms, fails))),
				);
				expect(counter.peak).toBe(Math.min(limit, all.length));
				expect(counter.order).toEqual(all.map((_, index) => index));
				expect(results.map(({ status }) => status)).toEqual(
					all.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
				);
			}),
			{ numRuns: 30 },
		);
	});

	test('has room as soon as nobody waits for a place', async () => {
		const pool = new RequestPool(2);
		const { counter, request } = createCounter();
		const done: Array<Promise<number>> = [];
		for (let index = 0; index < 10; index += 1) {
			done.push(pool.run(request(index, 3, false)));
			await pool.waitForRoom();
			expect(done.length - counter.order.length).toBeLessThanOrEqual(1);
		}
		expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(counter.peak).toBe(2);
	});

	test('lets timers fire while several wait for room, and each gets it once a slot is free', async () => {
		const pool = new RequestPool(1);
		const { request } = createCounter();
		const running = pool.run(request(0, 5, false));
		let waiting = 3;
		const waits = Array.from({ length: waiting }, async () => {
			await pool.waitForRoom();
			waiting -= 1;
		});
		/** Passing the slot on forever would stop this process: no timer of the test would end it. */
		const watch = running.then(async () => {
			for (let turns = 0; waiting > 0; turns += 1) {
				if (turns > 1_000) {
					Object.assign(pool, { limit: Infinity });
					throw new Error('The waits pass the slot to each other.');
				}
				await Promise.resolve();
			}
		});
		await Promise.all([watch, ...waits]);
		expect(waiting).toBe(0);
	});

	test('begins nothing while the service asks for a pause', async () => {
		const pool = new RequestPool(5);
		pool.pause(60);
		const begin = Date.now();
		await pool.run(async () => await Promise.resolve());
		expect(Date.now() - begin).toBeGreaterThanOrEqual(55);
	});

	test('begins nothing more once the execution is stopped, and ends every wait within a moment', async () => {
		const controller = new AbortController();
		const pool = new RequestPool(1, controller.signal);
		const { counter, request } = createCounter();
		const first = pool.run(request(0, 20, false));
		const others = [1, 2, 3].map(async (index) => await pool.run(request(index, 1, false)));
		const rest = pool.rest(60_000);
		await pause(5);
		const begin = Date.now();
		controller.abort();
		const results = await Promise.allSettled([rest, ...others]);
		expect(Date.now() - begin).toBeLessThan(30_000);
		expect(results.map((result) => result.status === 'rejected' && result.reason.kind)).toEqual(
			Array(4).fill('cancelled'),
		);
		expect(await first).toBe(0);
		expect(counter.order).toEqual([0]);
	});
});
