import { randomUUID } from 'node:crypto';

import { endpoints, type Method } from '../../../../nodes/shared/client/address';
import { emptyBodyOf, sendByMethod } from '../../../../nodes/shared/client/method';

type Endpoint = (typeof endpoints)[keyof typeof endpoints];

/** A service that responds so to each method. */
function open(
	statuses: Record<Method, number>,
	headers: { allow?: string; retryAfter?: string } = {},
) {
	const account: string = randomUUID();
	const asked: Method[] = [];
	const call = async (endpoint: Endpoint = endpoints.getBalance, of = account) => {
		const { status } = await sendByMethod(of, endpoint, async (method) => {
			asked.push(method);
			return { status: statuses[method], body: {}, ...headers };
		});
		return status;
	};
	return { call, asked };
}

describe('sendByMethod', () => {
	test.each([
		['otp /request', endpoints.requestOtp],
		['otp /verify', endpoints.verifyOtp],
		['http /send', endpoints.sendByQuery],
	])('sends %s by GET after a 405, and by GET at once from then on', async (_, endpoint) => {
		const { call, asked } = open({ POST: 405, GET: 201 });
		expect([await call(endpoint), await call(endpoint)]).toEqual([201, 201]);
		expect(asked).toEqual(['POST', 'GET', 'GET']);
	});

	test.each([404, 405])('reads by POST after a %i', async (status) => {
		const { call, asked } = open({ GET: status, POST: 200 });
		expect([await call(), await call()]).toEqual([200, 200]);
		expect(asked).toEqual(['GET', 'POST', 'POST']);
	});

	test.each([
		['a body would be lost', endpoints.send, 405, {}],
		['a body would be lost in bulk', endpoints.sendBulk, 405, {}],
		['a 404 could be about a code', endpoints.verifyOtp, 404, {}],
		['a 404 could be about a number', endpoints.requestOtp, 404, {}],
		['the service names other methods', endpoints.requestOtp, 405, { allow: 'PUT, OPTIONS' }],
		['the service asks to wait', endpoints.requestOtp, 405, { retryAfter: '60' }],
		['it was accepted', endpoints.requestOtp, 201, {}],
	])('sends once where %s', async (_, endpoint, status, headers) => {
		const { call, asked } = open({ POST: status, GET: 200 }, headers);
		expect(await call(endpoint)).toBe(status);
		expect(asked).toHaveLength(1);
	});

	test('reports the first response where no method helps, and learns nothing', async () => {
		const { call, asked } = open({ GET: 404, POST: 405 });
		expect([await call(), await call()]).toEqual([404, 404]);
		expect(asked).toEqual(['GET', 'POST', 'GET', 'POST']);
	});
});

test('a read by POST carries an empty JSON object, nothing else does', () => {
	expect(emptyBodyOf(endpoints.getBalance, 'POST')).toBe('{}');
	expect(emptyBodyOf(endpoints.getBalance, 'GET')).toBeUndefined();
	expect(emptyBodyOf(endpoints.verifyOtp, 'POST')).toBeUndefined();
});
