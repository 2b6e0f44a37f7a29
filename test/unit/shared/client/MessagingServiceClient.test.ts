import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { openContext } from '../../../support/workflow/openContext';
import { shortenWaits } from '../../../support/workflow/shortenWaits';
import { answerJson, useStandIn } from '../../../support/workflow/useStandIn';

const message = { to: '959779100001', message: 'Hello', from: 'MyShop' };
const limits = { parallelRequests: 5, timeout: 2000 };
const record = { messageId: 'a', status: 'Accepted', to: '959779100001', scheduledAt: null };

describe('the client', () => {
	const service = useStandIn();
	shortenWaits();
	const open = async () => await MessagingServiceClient.open(openContext(service), limits);

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

	describe('a request', () => {
		const statuses = (...all: number[]) => {
			service.answer = () => answerJson(all[Math.min(service.requests.length, all.length) - 1], {});
			return service.requests;
		};

		test('repeats a request only where nothing can happen twice', async () => {
			const client = await open();
			const unavailable = statuses(503);
			await expect(client.send(message, 'rest')).rejects.toMatchObject({ kind: 'unavailable' });
			expect(unavailable).toHaveLength(1);
		});

		test('repeats a message that the service had no room for', async () => {
			const client = await open();
			const requests = statuses(429, 429, 401);
			await expect(client.send(message, 'rest')).rejects.toMatchObject({ kind: 'authentication' });
			expect(requests).toHaveLength(3);
		});

		test('repeats a read, but not beyond its time', async () => {
			const client = await open();
			const requests = statuses(503, 503, 401);
			await expect(client.getBalance()).rejects.toMatchObject({ kind: 'authentication' });
			expect(requests).toHaveLength(3);
			await expect(client.within(0).getBalance()).rejects.toMatchObject({ kind: 'authentication' });
			expect(requests).toHaveLength(4);
		});
	});

	describe('a read', () => {
		test('reads without looking at Only Send To, so that an invalid list does not block it', async () => {
			const credentials = { onlySendTo: 'nobody' };
			const client = await MessagingServiceClient.open(
				openContext(service, { credentials }),
				limits,
			);
			service.answer = () => answerJson(200, { balance: 1, currency: 'MMK' });
			await expect(client.getBalance()).resolves.toEqual({ balance: 1, currency: 'MMK' });
			service.answer = () => answerJson(200, { messages: [record], limit: '20', records: 'many' });
			await expect(client.listMessages({}, 50, 1)).resolves.toMatchObject({
				...{ messages: [record], limit: 20, records: undefined },
			});
		});
	});
});
