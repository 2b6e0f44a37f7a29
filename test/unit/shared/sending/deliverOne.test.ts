import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import type { Outgoing } from '../../../../nodes/shared/delivery/Outgoing';
import { SingleChannel } from '../../../../nodes/shared/sending/deliverOne';
import { openContext } from '../../../support/workflow/openContext';
import { useSandbox } from '../../../support/workflow/useSandbox';

describe('the channel of single messages', () => {
	const sandbox = useSandbox();
	const open = async () => {
		const limits = { parallelRequests: 5, timeout: 5000 };
		const client = await MessagingServiceClient.open(openContext(sandbox), limits);
		return new SingleChannel(client);
	};
	const own = 'n8n-scope-0-abcdef';
	const request = { to: '959779100001', message: 'Hello', from: 'MyShop', clientReference: own };
	const toOutgoing = (surface: string) =>
		({ request, surface, entry: { saved: {} }, isUsersReference: false }) as Outgoing;

	test('sends one message with its reference, by either surface', async () => {
		const channel = await open();
		for (const surface of ['rest', 'http']) {
			const { each, isAccepted } = await channel.send([toOutgoing(surface)]);
			expect(each).toMatchObject([{ clientReference: own, status: 'Accepted' }]);
			expect(isAccepted).toBe(true);
		}
		expect(sandbox.requests().map(({ path }) => path)).toEqual([
			...['/api/rest/send', '/api/http/send'],
		]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
	});
});
