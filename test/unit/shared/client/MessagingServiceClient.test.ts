import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { openContext } from '../../../support/workflow/openContext';
import { shortenWaits } from '../../../support/workflow/shortenWaits';
import { answerJson, useStandIn } from '../../../support/workflow/useStandIn';

const limits = { parallelRequests: 5, timeout: 2000 };

describe('the client', () => {
	const service = useStandIn();
	shortenWaits();

	test('repeats a read, but not beyond its time', async () => {
		const client = await MessagingServiceClient.open(openContext(service), limits);
		service.answer = () => answerJson(service.requests.length < 3 ? 503 : 401, {});
		await expect(client.getBalance()).rejects.toMatchObject({ kind: 'authentication' });
		expect(service.requests).toHaveLength(3);
		service.requests.length = 0;
		await expect(client.within(0).getBalance()).rejects.toMatchObject({ kind: 'unavailable' });
		expect(service.requests).toHaveLength(1);
	});

	test('reads whatever Only Send To is, and keeps what it cannot count', async () => {
		const context = openContext(service, { credentials: { onlySendTo: 'nobody' } });
		const client = await MessagingServiceClient.open(context, limits);
		service.answer = () => answerJson(200, { messages: [], limit: '20', records: 'many' });
		const page = await client.listMessages({}, 50, 1);
		expect(page).toMatchObject({ messages: [], limit: 20, records: undefined });
	});
});
