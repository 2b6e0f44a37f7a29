import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import { readLatest } from '../../../nodes/SmsSendAndWait/outcome';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('the latest status of a message', () => {
	const sandbox = useSandbox();

	test.each([
		['6591234567', '6591234568'],
		['959779100001', '959779100002'],
	])('is that of its recipient, where history names several for the ID: %s', async (to, other) => {
		const records = [
			{ messageId: 'shared', to, status: 'Sent', finishedAt: null },
			{ messageId: 'shared', to: other, status: 'Delivered' },
		];
		const readStatus = async (createdAt: string) => {
			const client = await MessagingServiceClient.open(openContext(sandbox), {
				...{ parallelRequests: 1, timeout: 5000 },
			});
			const record = { messageId: 'shared', status: 'Accepted', createdAt };
			return (await readLatest(client, record, `+${to}`)).status;
		};
		for (const listed of [records, [...records].reverse()]) {
			sandbox.reset();
			sandbox.seedMessages(2, (n) => listed[n] as never);
			expect(await readStatus(sandbox.messages()[0].createdAt)).toBe('Sent');
		}
	});
});
