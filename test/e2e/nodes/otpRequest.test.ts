import type { IDataObject } from 'n8n-workflow';

import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { connectOutputs, makeMarker } from '../../support/e2e/runAgain';
import { useService } from '../../support/e2e/useService';

describe('OTP Request in a real n8n', () => {
	const service = useService();

	const request = async (items: IDataObject[], parameters: IDataObject = {}) => {
		const given = { to: '={{ $json.to }}', brand: 'MyShop', from: 'Shop', ...parameters };
		const node: NodeUnderTest = {
			name: 'Request',
			type: 'otpRequest',
			parameters: given as NodeUnderTest['parameters'],
			credentials: { ...service.credentials },
		};
		const nodes = [node, ...['Requested', 'Failed'].map(makeMarker)];
		const connections = connectOutputs('Request', ['Requested', 'Failed']);
		return await runWorkflow(service.api, nodes, items, { connections });
	};
	const [sms, email] = [{ to: '09791234567' }, { to: 'visitor@example.com' }];

	test('sends codes by SMS and by email, and never returns them', async () => {
		const run = await request([sms, email]);
		const codes = service.sandbox.codes();
		const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.000Z$/);
		const times = { createdAt: expect.any(String), expireAt: expect.any(String) };
		const shared = { ...times, createdAtUtc: utc, expireAtUtc: utc };
		expect(run.json.Requested[0]).toEqual([
			{ channel: 'SMS', requestId: codes[0].requestId, to: '959791234567', ...shared },
			{ channel: 'EMAIL', requestId: codes[1].requestId, to: email.to, ...shared },
		]);
		for (const { code } of codes) expect(run.execution.saved).not.toContain(`"${code}"`);
	});

	test('takes a field in Expression mode without {{ }} as a text', async () => {
		const run = await request([{}], { to: '=09791234567', brand: '=My {Shop}', from: '=Shop' });
		expect(run.error).toBeUndefined();
		const query = { to: '959791234567', brand: 'My {Shop}', from: 'Shop' };
		expect(service.sandbox.requests()[0].query).toMatchObject(query);
	});

	test('sends every option under its own name', async () => {
		const options = {
			ttl: '={{ 60 * 10 }}',
			pinLength: 8,
			maxInvalidAttempts: 3,
			template: '{code} is for {brand} & friends + you',
			timeout: 30_000,
		};
		const run = await request([sms], { brand: 'Tea & Co', options });
		expect(run.error).toBeUndefined();
		const [{ method, path, query, body }] = service.sandbox.requests();
		expect({ method, path, body }).toEqual({ method: 'POST', path: '/api/otp/request', body: '' });
		expect(query).toEqual({
			accessToken: service.sandbox.token,
			to: '959791234567',
			brand: 'Tea & Co',
			from: 'Shop',
			ttl: '600',
			pinLength: '8',
			maxInvalidAttempts: '3',
			template: '{code} is for {brand} & friends + you',
		});
	});
});
