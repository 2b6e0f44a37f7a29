import type { IDataObject } from 'n8n-workflow';

import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	useScaledTimes,
	wantedMessages,
} from './deliveryTools';
import { runAgainst } from './runAgainst';
import { useSandbox } from './useSandbox';

const nodes = [
	{ type: 'SmsSend', path: '/rest/send' },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk' },
] as const;

/** Longer than any doubt. */
const neverMs = 1_000_000;

describe.each(nodes)('$type and an acceptance that comes late', ({ type, path }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	useScaledTimes();
	const before = { ...deliveryTiming };
	beforeAll(() => void (deliveryTiming.doubtAfterTimeOutLastsMs = 2_400));
	beforeEach(() => sandbox.configure({ historyLagMs: neverMs }));
	afterAll(() => void Object.assign(deliveryTiming, before));

	const all = wantedMessages(4);
	const slow = (message: number, slowMs: number) =>
		sandbox.addFault({
			match: { path, contains: String(all[message].message) },
			effect: { slowMs },
			count: 1,
		});
	const send = async (wanted: typeof all, timeout: number, settings: object = {}) => {
		const options: IDataObject = { timeout, parallelRequests: 1 };
		if (type === 'SmsBulkSend') options.recipientsPerRequest = 1;
		const { json } = await run({ ...mapped, options }, { items: wanted, settings });
		return accountFor(sandbox, wanted, json);
	};

	test('in the next try of the node is not sent again by that', async () => {
		slow(0, 800);
		// The first try gives up at once what history does not let it see.
		const match = { path: '/rest/messages' };
		sandbox.addFault({ match, effect: { status: 403 }, count: 1 });
		expect(await send(all.slice(0, 1), 250, { ...retryOnFail, maxTries: 2 })).toEqual(allOnce(1));
	});

	test('while the message waits for its turn to be sent again, is enough', async () => {
		Object.assign(deliveryTiming, { doubtAfterTimeOutLastsMs: 120, looks: [120] });
		slow(0, 970);
		for (const other of [1, 2, 3]) slow(other, 380);
		expect(await send(all, 400)).toEqual(allOnce(4));
	});
});
