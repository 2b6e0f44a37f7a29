import type { AxiosResponse } from '../../../scripts/http';
import { type FaultRule } from '../../../sandbox';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('fault injection', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const readCode = (promise: Promise<AxiosResponse>) =>
		promise.then(
			({ status }) => String(status),
			(error: { code: string }) => error.code,
		);

	test.each<[string, FaultRule, string, number]>([
		['refused with 500', { effect: { status: 500 } }, '500', 0],
		['accepted, then 502', { when: 'after', effect: { status: 502 } }, '502', 1],
		['cut', { effect: 'cut' }, 'ECONNRESET', 0],
		['accepted, then cut', { when: 'after', effect: 'cut' }, 'ECONNRESET', 1],
		['cut within the body', { effect: 'cutBody' }, 'ERR_BAD_RESPONSE', 0],
		[
			'accepted, then cut within the body',
			{ when: 'after', effect: 'cutBody' },
			'ERR_BAD_RESPONSE',
			1,
		],
		['broken JSON', { effect: 'brokenJson' }, '201', 0],
		['accepted, then broken JSON', { when: 'after', effect: 'brokenJson' }, '201', 1],
		['redirected', { effect: { redirect: { location: 'http://127.0.0.1:9/' } } }, '302', 0],
		['slow', { effect: { slowMs: 50 } }, '201', 1],
		['accepted, then slow', { when: 'after', effect: { slowMs: 50 } }, '201', 1],
	])('%s', async (_case, rule, code, stored) => {
		sandbox.addFault(rule);
		expect(await readCode(send(sandbox))).toBe(code);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(stored);
	});

	test.each(['before', 'after'] as const)(
		'a request that hangs (%s) gets no response',
		async (when) => {
			sandbox.addFault({ when, effect: 'hang' });
			const call = { method: 'GET', path: '/rest/messages', timeout: 1000 };
			expect(await readCode(callSandbox(sandbox, call))).toBe('ECONNABORTED');
			expect(sandbox.requests()[0]!.statusAnswered).toBe('hung');
		},
	);

	test('reset lets hanging requests go', async () => {
		sandbox.addFault({ effect: 'hang' });
		const hanging = readCode(send(sandbox));
		while (sandbox.requests()[0]?.statusAnswered !== 'hung') {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		sandbox.reset();
		expect(await hanging).toBe('ECONNRESET');
	});

	test('broken JSON cannot be parsed, although it says that it is JSON', async () => {
		sandbox.addFault({ when: 'after', effect: 'brokenJson' });
		const { data, headers } = await send(sandbox);
		expect(headers['content-type']).toMatch(/json/);
		expect(data).toMatch(/^\{"messages":\[\{"messageId":"/);
	});

	test('a status can have headers and a body; without one it has the error body', async () => {
		sandbox.addFault({ count: 1, effect: { status: 429, headers: { 'Retry-After': '2' } } });
		sandbox.addFault({ count: 1, effect: { status: 502, body: '<html>Bad gateway</html>' } });
		sandbox.addFault({ effect: { status: 503, body: { odd: true } } });
		const limited = await send(sandbox);
		expect(limited.headers['retry-after']).toBe('2');
		expect(limited.data).toEqual({
			name: 'Too Many Requests',
			message: 'Too Many Requests',
			code: 0,
			status: 429,
		});
		expect((await send(sandbox)).data).toBe('<html>Bad gateway</html>');
		expect((await send(sandbox)).data).toEqual({ odd: true });
	});

	test('a response that is replaced leaves no header behind', async () => {
		sandbox.addFault({ when: 'after', effect: { status: 500, body: 'x' } });
		const { headers } = await callSandbox(sandbox, { method: 'DELETE', path: '/rest/messages' });
		expect(headers).not.toHaveProperty('allow');
		expect(headers['content-length']).toBe('1');
		expect(headers['content-type']).toMatch(/^text\/plain/);
	});

	test('an echo repeats token, header and body', async () => {
		sandbox.addFault({ effect: 'echo' });
		const byRest = await send(sandbox, { encryptKey: 'secret key' });
		expect(byRest.status).toBe(500);
		expect(byRest.data.message).toContain(sandbox.token);
		expect(JSON.stringify(byRest.data)).toContain('secret key');
		const query = { requestId: '123456789', code: '424242' };
		const byQuery = await callSandbox(sandbox, { method: 'POST', path: '/otp/verify', query });
		expect(byQuery.data.message).toContain(`accessToken=${encodeURIComponent(sandbox.token)}`);
		expect(byQuery.data.message).toContain('424242');
	});

	test('rules match path, prefix, method and content', async () => {
		const effect = { status: 418 };
		const readStatuses = async () =>
			(
				await Promise.all([send(sandbox), send(sandbox, { message: 'Bad "x"' }), list(sandbox)])
			).map(({ status }) => status);
		const expectations: Array<[FaultRule['match'], number[]]> = [
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
		];
		for (const [match, statuses] of expectations) {
			sandbox.clearFaults();
			sandbox.addFault({ match, effect });
			expect(await readStatuses()).toEqual(statuses);
		}
	});

	test('skip and count pick the requests that fail', async () => {
		sandbox.addFault({ skip: 1, count: 2, effect: { status: 500 } });
		const statuses: number[] = [];
		for (let i = 0; i < 5; i++) statuses.push((await send(sandbox)).status);
		expect(statuses).toEqual([201, 500, 500, 201, 201]);
	});

	test('a probability draws the same requests for the same seed', async () => {
		const draw = async () => {
			sandbox.reset();
			sandbox.configure({ randomSeed: 5 });
			sandbox.addFault({ probability: 0.3, effect: { status: 500 } });
			const statuses: number[] = [];
			for (let i = 0; i < 60; i++) statuses.push((await list(sandbox)).status);
			return statuses;
		};
		const first = await draw();
		const failed = first.filter((status) => status === 500).length;
		expect(failed).toBeGreaterThan(8);
		expect(failed).toBeLessThan(30);
		expect(await draw()).toEqual(first);
	});

	test('an unknown effect is rejected', () => {
		expect(() => sandbox.addFault({ effect: 'explode' } as never)).toThrow(
			/effect must be an effect such as/,
		);
	});

	test('faults can be set, read and cleared over HTTP', async () => {
		const rule = { count: 1, effect: { status: 500 } };
		expect((await control(sandbox, 'POST', '/faults', [rule])).status).toBe(201);
		expect((await send(sandbox)).status).toBe(500);
		expect((await control(sandbox, 'GET', '/faults')).data).toEqual([{ rule, seen: 1, hits: 1 }]);
		await control(sandbox, 'DELETE', '/faults');
		expect((await control(sandbox, 'GET', '/faults')).data).toEqual([]);
		expect((await control(sandbox, 'POST', '/faults', { effect: 'explode' })).status).toBe(400);
		const late = await control(sandbox, 'POST', '/faults', { when: 'later', effect: 'cut' });
		expect([late.status, late.data.message]).toEqual([400, 'laterMs is missing.']);
	});

	test('the request log says what was hit', async () => {
		sandbox.addFault({ when: 'after', effect: 'cut' });
		await readCode(send(sandbox));
		expect(sandbox.requests()[0]).toMatchObject({ statusAnswered: 'cut', fault: 'after: cut' });
	});
});
