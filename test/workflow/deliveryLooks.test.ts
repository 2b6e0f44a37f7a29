import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import {
	accountFor,
	allOnce,
	mapped,
	shortenDelivery,
	wantedMessages,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const nodes = [
	{ type: 'SmsSend', path: '/rest/send' },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk' },
] as const;

describe.each(nodes)('$type, when it looks into history after a lost answer', ({ type, path }) => {
	const sandbox = useSandbox({ maxMessagesKept: 1_000_000 });
	const run = runAgainst(sandbox, type);
	shortenDelivery();
	// Time enough for a second look, also on a busy machine.
	beforeAll(() => {
		const looks = [1, 50, 200, 1_000, 5_000];
		Object.assign(deliveryTiming, { looks, doubtLastsMs: 5_000, doubtAfterTimeOutLastsMs: 5_000 });
	});
	const wanted = wantedMessages(10);

	beforeEach(() => sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' }));

	test('looks again after a redirect, which can pass', async () => {
		const redirect = { location: 'http://127.0.0.1:9/' };
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { redirect }, count: 1 });
		const { json } = await run(mapped, { items: wanted });
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(wanted.length));
	});

	test('finds it among more than 50,000 messages of the same minute', async () => {
		const now = Date.now();
		sandbox.seedMessages(51_000, () => ({ createdAtMs: now, listedFromMs: now }));
		const { json } = await run(mapped, { items: wanted });
		const found = json.filter(({ to }) => wanted.some((one) => one.to === to));
		expect(found).toHaveLength(wanted.length);
		expect(sandbox.messages()).toHaveLength(51_000 + wanted.length);
	}, 60_000);
});
