import type { IDataObject } from 'n8n-workflow';

import exchanges from '../fixtures/exchanges.json';
import { runAgainst, type NodeName, type Surroundings } from '../support/workflow/runAgainst';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

interface Exchange {
	name: string;
	request: {
		method: string;
		path: string;
		query?: IDataObject;
		body?: IDataObject;
		token?: string;
	};
	answer: { status: number; body: IDataObject & { messages?: IDataObject[] } };
}

/** What a user fills in to make the documented request. */
interface Use {
	node: NodeName;
	/** What the node adds to the query of its own. */
	query?: IDataObject;
	parameters?: IDataObject;
	surroundings?: Surroundings;
}

const byName = new Map((exchanges as Exchange[]).map((exchange) => [exchange.name, exchange]));

const uses: Record<string, Use> = {
	send: {
		node: 'SmsSend',
		parameters: {
			to: '09779123456',
			message: 'Your order is on its way.',
			from: 'Shop',
			options: { clientReference: 'order-1024' },
		},
	},
	sendEncrypted: {
		node: 'SmsSend',
		parameters: {
			to: '959254123456',
			message: 'Your balance is 500.',
			from: 'Bank',
			options: { encrypt: true, encryptKey: 'my key' },
		},
	},
	sendBulk: {
		node: 'SmsBulkSend',
		parameters: { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'Shop' },
		surroundings: {
			items: [
				{ to: ['09779123456', '+959951234567'], message: 'Sale from today.' },
				{ to: '959254123456', message: 'Your parcel is here.' },
			],
		},
	},
	sendByQuery: {
		node: 'SmsSend',
		parameters: {
			to: '+6591234567',
			message: 'Hello & welcome',
			from: 'Shop',
			options: { surface: 'http' },
		},
	},
	refusedInBody: {
		node: 'SmsSend',
		parameters: { to: '09000000011', message: 'Hello', from: 'Nobody' },
	},
	balance: { node: 'SmsBalance' },
	history: {
		...{ node: 'SmsHistory', query: { limit: '20', page: '1' } },
		parameters: { returnAll: false, limit: 1 },
	},
	otpRequestBySms: {
		node: 'OtpRequest',
		parameters: {
			to: '09779123456',
			brand: 'Shop',
			from: 'Shop',
			options: {
				ttl: 600,
				pinLength: 4,
				template: '{code} is your code for {brand}',
				maxInvalidAttempts: 3,
			},
		},
	},
	otpRequestByEmail: {
		node: 'OtpRequest',
		parameters: { to: 'thida+news@example.com', brand: 'Shop', from: 'Shop' },
	},
	otpVerify: { node: 'OtpVerify', parameters: { requestId: '184512007', code: '0427' } },
	otpVerifyInvalid: { node: 'OtpVerify', parameters: { requestId: '184512007', code: '0000' } },
	invalidCredentials: {
		node: 'SmsBalance',
		surroundings: { credentials: { apiKey: 'wrong', apiSecret: 'key' } },
	},
};

/**
 * The accepted notations of a number mean the same, as does a list of one and its recipient. The node makes a
 * reference of its own where the user has none.
 */
function canonical(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value ?? {}), (name, one: unknown) => {
		if (name === 'to') return [one].flat().map((to) => String(to).replace(/^(\+?959|09)/, '959'));
		return name === 'clientReference' && /^(n8n-[\w-]{1,46})?$/.test(String(one)) ? undefined : one;
	});
}

describe('documented exchanges', () => {
	const service = useStandIn();

	const exchange = async (name: string, more: IDataObject = {}) => {
		const { request, answer } = byName.get(name)!;
		const { node, parameters, surroundings } = uses[name];
		service.answer = () => answerJson(answer.status, answer.body);
		const result = await runAgainst(service, node)({ ...parameters, ...more }, surroundings);
		return { request, answer, ...result };
	};

	test('are all there', () => expect(Object.keys(uses)).toEqual([...byName.keys()]));

	test.each(Object.keys(uses))('%s: the node makes the documented request', async (name) => {
		const { request } = await exchange(name);
		const [{ query, headers, ...made }, ...more] = service.requests;
		const token = request.token ?? Buffer.from('demo-key:demo-secret').toString('base64');
		expect(more).toEqual([]);
		expect(made).toMatchObject({ method: request.method, path: request.path });
		const isRest = request.path.startsWith('/rest');
		const ofToken = isRest ? {} : { accessToken: token };
		expect(canonical(query)).toEqual(
			canonical({ ...request.query, ...uses[name].query, ...ofToken }),
		);
		expect(headers.authorization).toBe(isRest ? `Bearer ${token}` : undefined);
		if (isRest) expect(headers['content-type']).toBe('application/json');
		if (request.body)
			return expect(canonical(JSON.parse(made.body))).toEqual(canonical(request.body));
		expect(made.body).toBe('');
		if (request.method === 'POST') expect(headers['content-length']).toBe('0');
	});

	test.each(['send', 'sendEncrypted', 'sendBulk', 'sendByQuery', 'history'])(
		'%s: the node returns the documented records',
		async (name) => {
			const { answer, json } = await exchange(name, { simplify: false });
			const added = name === 'history' ? {} : { result: 'accepted' };
			const records = answer.body.messages as IDataObject[];
			expect(json).toEqual(records.map((record) => ({ ...record, ...added })));
		},
	);
});
