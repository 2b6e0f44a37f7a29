import { BulkSender } from '../../../nodes/SmsBulkSend/BulkSender';
import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import { Ledger } from '../../../nodes/shared/delivery/ledger';
import { openContext } from '../../workflow/openContext';
import { useSandbox } from '../../workflow/useSandbox';

describe('the sender of bulk requests', () => {
	const sandbox = useSandbox();
	const open = async (recipientsPerRequest: number) => {
		const context = openContext(sandbox, { type: 'SmsBulkSend' });
		const limits = { parallelRequests: 5, timeout: 5000 };
		const client = await MessagingServiceClient.open(context, limits);
		return new BulkSender(client, Ledger.open(context), {
			...{ recipientsPerRequest, pauseBetweenRequests: 0 },
			...{ isSentOnce: false, isSkipping: false, lookBackMs: 0 },
		});
	};
	const hello = (n: number) => ({ to: `95977910000${n}`, message: 'Hello', from: 'MyShop' });

	test('sends what is left of a request that was not full', async () => {
		const sender = await open(2);
		const all = [1, 2, 3].map(async (n) => await sender.deliver(hello(n), n, 0));
		await sender.sendRest();
		expect(await Promise.all(all)).toMatchObject([1, 2, 3].map((n) => ({ to: hello(n).to })));
		expect(sandbox.messages()).toHaveLength(3);
	});

	test('leaves nobody waiting who comes when the run has stopped', async () => {
		const sender = await open(100);
		const early = sender.deliver(hello(1), 0, 0);
		const alike = sender.deliver(hello(1), 1, 0);
		sender.dropRest();
		const late = sender.deliver(hello(2), 2, 0);
		const outcomes = await Promise.allSettled([early, alike, late]);
		const dropped = { status: 'rejected', reason: { kind: 'cancelled' } };
		expect(outcomes).toMatchObject([dropped, dropped, dropped]);
		expect(sandbox.messages()).toEqual([]);
	});
});
