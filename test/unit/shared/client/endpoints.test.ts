import { randomUUID } from 'node:crypto';

import { endpoints, sendByMethod, type Method } from '../../../../nodes/shared/client/endpoints';
import { toRequest } from '../../../../nodes/shared/client/transport';

type Endpoint = (typeof endpoints)[keyof typeof endpoints];

/** A service that responds so to each method. */
function open(statuses: Record<Method, number>) {
	const account: string = randomUUID();
	const asked: Method[] = [];
	const call = async (endpoint: Endpoint = endpoints.getBalance, of = account) => {
		const { status } = await sendByMethod(of, endpoint, async (method) => {
			asked.push(method);
			return await Promise.resolve({ status: statuses[method] });
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

	test('reads by POST after a 405', async () => {
		const { call, asked } = open({ GET: 405, POST: 200 });
		expect([await call(), await call()]).toEqual([200, 200]);
		expect(asked).toEqual(['GET', 'POST', 'POST']);
	});

	test.each([
		['a body would be lost', endpoints.send, 405],
		['a body would be lost in bulk', endpoints.sendBulk, 405],
		['a 404 could be about a code', endpoints.verifyOtp, 404],
		['it was accepted', endpoints.requestOtp, 201],
	])('sends once where %s', async (_, endpoint, status) => {
		const { call, asked } = open({ POST: status, GET: 200 });
		expect(await call(endpoint)).toBe(status);
		expect(asked).toHaveLength(1);
	});

	test('reports the first response where no method helps, and learns nothing', async () => {
		const { call, asked } = open({ GET: 405, POST: 404 });
		expect([await call(), await call()]).toEqual([405, 405]);
		expect(asked).toEqual(['GET', 'POST', 'GET', 'POST']);
	});
});

test('a read by POST carries an empty JSON object, nothing else does', () => {
	expect(toRequest({ endpoint: endpoints.getBalance }, 'POST')).toHaveProperty('body', '{}');
	expect(toRequest({ endpoint: endpoints.getBalance }, 'GET')).not.toHaveProperty('body');
	expect(toRequest({ endpoint: endpoints.verifyOtp }, 'POST')).not.toHaveProperty('body');
});
