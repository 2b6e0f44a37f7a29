import type { FaultRule } from '../../../sandbox';
import { readCode, sleep, useReceiver, useSandbox } from '../../support/sandbox/harness';

const sandbox = useSandbox();
const receiver = useReceiver();
const listed = async () => (await sandbox.list()).data.records as number;

describe('fault injection', () => {
	test.each<[FaultRule['effect'], string, number]>([
		[{ status: 502 }, '502', 0],
		['cut', 'ECONNRESET', 0],
		['cutBody', 'ERR_BAD_RESPONSE', 0],
		['brokenJson', '201', 0],
		[{ redirect: { location: 'http://127.0.0.1:9/' } }, '302', 0],
		[{ slowMs: 50 }, '201', 1],
	])('%j comes before the service acts, after it, or at once', async (effect, code, stored) => {
		for (const when of ['before', 'after'] as const) {
			sandbox.reset();
			sandbox.addFault({ when, effect });
			expect(await readCode(sandbox.send())).toBe(code);
			expect(sandbox.messages()).toHaveLength(when === 'after' ? 1 : stored);
		}
		if (stored > 0) return;
		sandbox.reset();
		sandbox.addFault({ when: 'later', laterMs: 60_000, count: 1, effect });
		expect(await readCode(sandbox.send())).toBe(code);
		expect(sandbox.messages()).toEqual([]);
		await sandbox.pass();
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('the request log says what was hit', async () => {
		sandbox.addFault({ when: 'after', effect: 'cut' });
		await readCode(sandbox.send());
		expect(sandbox.requests()[0]).toMatchObject({ statusAnswered: 'cut', fault: 'after: cut' });
	});

	test.each([
		['before', 0],
		['after', 1],
		['later', 1],
	] as const)('a request that hangs (%s) gets no response', async (when, stored) => {
		sandbox.addFault({ when, effect: 'hang', ...(when === 'later' && { laterMs: 60_000 }) });
		const body = { to: '09779123456', message: 'Hello', from: 'Shop' };
		const call = { method: 'POST', path: '/rest/send', body, timeout: 500 };
		expect(await readCode(sandbox.call(call))).toBe('ECONNABORTED');
		expect(sandbox.requests()[0]!.statusAnswered).toBe('hung');
		await sandbox.pass();
		expect(sandbox.messages()).toHaveLength(stored);
	});

	test('reset lets hanging requests go', async () => {
		sandbox.addFault({ effect: 'hang' });
		const hanging = readCode(sandbox.send());
		while (sandbox.requests()[0]?.statusAnswered !== 'hung') await sleep(5);
		sandbox.reset();
		expect(await hanging).toBe('ECONNRESET');
	});

	test('a status can have headers and a body; without one it has the error body', async () => {
		sandbox.addFault({ count: 1, effect: { status: 429, headers: { 'Retry-After': '2' } } });
		sandbox.addFault({ count: 1, effect: { status: 502, body: '<html>Bad gateway</html>' } });
		sandbox.addFault({ effect: { status: 503, body: { odd: true } } });
		const { data, headers } = await sandbox.send();
		const name = 'Too Many Requests';
		expect(headers['retry-after']).toBe('2');
		expect(data).toEqual({ name, message: name, code: 0, status: 429 });
		expect((await sandbox.send()).data).toBe('<html>Bad gateway</html>');
		expect((await sandbox.send()).data).toEqual({ odd: true });
	});

	test('a response that is replaced leaves no header behind', async () => {
		sandbox.addFault({ when: 'after', effect: { status: 500, body: 'x' } });
		const { headers } = await sandbox.call({ method: 'DELETE', path: '/rest/messages' });
		expect(headers).not.toHaveProperty('allow');
		expect(headers['content-length']).toBe('1');
		expect(headers['content-type']).toMatch(/^text\/plain/);
	});

	test('an echo repeats token, header and body', async () => {
		sandbox.addFault({ effect: 'echo' });
		const { data } = await sandbox.send({ encryptKey: 'secret key' });
		expect(data.status).toBe(500);
		expect(data.message).toContain(sandbox.token);
		expect(JSON.stringify(data)).toContain('secret key');
		const byQuery = await sandbox.verifyCode({ requestId: '123456789', code: '424242' });
		expect(byQuery.data.message).toContain(`accessToken=${encodeURIComponent(sandbox.token)}`);
		expect(byQuery.data.message).toContain('424242');
	});

	test.each<[FaultRule['match'], number[]]>([
		[{ path: '/rest/send' }, [418, 418, 201]],
		[{ path: '/api/rest/messages' }, [201, 201, 418]],
		[{ path: '/rest/sen' }, [201, 201, 201]],
		[{ path: 'rest/send' }, [418, 418, 201]],
		[{ path: 'api/rest/messages' }, [201, 201, 418]],
		[{ path: 'rest/*' }, [418, 418, 418]],
		[{ path: '*' }, [418, 418, 418]],
		[{ path: '/rest/*' }, [418, 418, 418]],
		[{ method: 'get' }, [201, 201, 418]],
		[{ contains: 'Bad "x"' }, [201, 418, 201]],
	])('a rule with %j fits a send, one of Bad "x", and history as %j says', async (match, fits) => {
		sandbox.addFault({ match, effect: { status: 418 } });
		const calls = [sandbox.send(), sandbox.send({ message: 'Bad "x"' }), sandbox.list()];
		expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(fits);
	});

	test('a probability draws the same requests for the same seed', async () => {
		const draw = async () => {
			sandbox.reset();
			sandbox.configure({ randomSeed: 5 });
			sandbox.addFault({ probability: 0.3, effect: { status: 500 } });
			const statuses: number[] = [];
			for (let i = 0; i < 60; i++) statuses.push((await sandbox.list()).status);
			return statuses;
		};
		const first = await draw();
		const failed = first.filter((status) => status === 500).length;
		expect(failed).toBeGreaterThan(8);
		expect(failed).toBeLessThan(30);
		expect(await draw()).toEqual(first);
	});
});

describe('a request that the service acts on later', () => {
	const actAfter = (laterMs: number) =>
		sandbox.addFault({ when: 'later', laterMs, count: 1, effect: { status: 504 } });

	test('is charged, listed and reported only then', async () => {
		actAfter(10_000);
		const { balance } = sandbox.balance();
		await sandbox.send({ deliveryReceiptUrl: receiver.url });
		await sandbox.pass(9_000);
		expect([await listed(), sandbox.balance().balance]).toEqual([0, balance]);
		await sandbox.pass(1_000);
		expect([await listed(), sandbox.balance().balance]).toEqual([1, balance - 20]);
		await sandbox.pass();
		expect(receiver.calls.map(({ query }) => query.status)).toEqual(['Sent', 'Delivered']);
	});

	test('needs no advance of the clock', async () => {
		actAfter(100);
		await sandbox.send();
		expect(sandbox.messages()).toEqual([]);
		while (sandbox.messages().length === 0) await sleep(10);
		const [[message], [request]] = [sandbox.messages(), sandbox.requests()];
		expect(message!.createdAtMs - request!.at).toBeGreaterThanOrEqual(100);
	});

	test('can be rejected then, which the log of requests says', async () => {
		actAfter(10_000);
		await sandbox.send();
		sandbox.configure({ balance: 0 });
		await sandbox.pass(10_000);
		expect(sandbox.messages()).toEqual([]);
		expect(sandbox.requests()[0]).toMatchObject({
			...{ statusAnswered: 504, statusOfLateAct: 402 },
			fault: '10000 ms later: {"status":504}',
		});
	});

	test('is dropped by a reset', async () => {
		actAfter(10_000);
		await sandbox.send();
		sandbox.reset();
		await sandbox.pass();
		expect(sandbox.messages()).toEqual([]);
	});

	test('is acted on when one advances over HTTP', async () => {
		const rule = { when: 'later', laterMs: 5_000, effect: { status: 502 } };
		await sandbox.control('POST', '/faults', rule);
		await sandbox.send();
		await sandbox.control('POST', '/advance', { ms: 5_000 });
		expect(sandbox.messages()).toHaveLength(1);
	});
});
