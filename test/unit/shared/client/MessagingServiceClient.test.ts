import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { openContext } from '../../../support/workflow/openContext';
import { shortenWaits } from '../../../support/workflow/shortenWaits';
import { answerJson, useStandIn } from '../../../support/workflow/useStandIn';

const message = { to: '959779100001', message: 'Hello', from: 'MyShop' };
const record = { messageId: 'a', status: 'Accepted', to: '959779100001', scheduledAt: null };

describe('the client', () => {
	const service = useStandIn();
	shortenWaits();
	const open = async () =>
		await MessagingServiceClient.open(openContext(service), { parallelRequests: 5, timeout: 2000 });

	test('has one method for each endpoint, with its surface, method and path', async () => {
		const client = await open();
		service.answer = ({ path }) => {
			if (path === '/otp/request') return answerJson(201, { requestId: 7 });
			if (path === '/rest/account/get-balance')
				return answerJson(201, { balance: 1, currency: 'MMK' });
			return answerJson(201, { messages: [record], records: 1, limit: 20 });
		};
		await client.send(message, 'rest');
		await client.send(message, 'http');
		await client.sendBulk([{ ...message, to: [message.to] }]);
		await client.listMessages({}, 20, 1);
		await client.getBalance();
		await client.requestOtp({ to: message.to, brand: 'MyShop', from: 'MyShop' });
		await client.verifyOtp('7', '0427').catch(() => undefined);
		expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			...['POST /rest/send', 'POST /http/send', 'POST /rest/send/bulk', 'GET /rest/messages'],
			...['GET /rest/account/get-balance', 'POST /otp/request', 'POST /otp/verify'],
		]);
	});

	test.each([{ status: 'false' }, { status: 0 }, { status: false }])(
		'reads a body with %j as a rejection, in a send and in a read',
		async (refusal) => {
			service.answer = () => answerJson(200, { ...refusal, message: 'Invalid Sender ID' });
			const client = await open();
			const refused = { kind: 'rejected', mayHaveActed: false };
			await expect(client.send(message, 'rest')).rejects.toMatchObject(refused);
			await expect(client.getBalance()).rejects.toMatchObject(refused);
			await expect(client.verifyOtp('7', '0427')).resolves.toMatchObject({ verified: false });
		},
	);

	test('repeats a read, and never a send whose outcome is open', async () => {
		service.answer = () => answerJson(503, {});
		const client = await open();
		await expect(client.getBalance()).rejects.toMatchObject({ kind: 'unavailable' });
		expect(service.requests.length).toBeGreaterThan(1);
		service.requests.length = 0;
		await expect(client.send(message, 'rest')).rejects.toMatchObject({ mayHaveActed: true });
		expect(service.requests).toHaveLength(1);
	});

	test('knows an account by its address and key, and names neither', async () => {
		const { account } = await open();
		expect(account).toMatch(/^[0-9a-f]{64}$/);
		expect((await open()).account).toBe(account);
	});
});
