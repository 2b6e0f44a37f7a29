import { inCollections } from '../../tools/harness/inCollections';
import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { mapped, sendNodes, shortenDelivery, wantedMessages } from '../support/workflow/sending';
import { useSandbox } from '../support/workflow/useSandbox';
import { processorMs } from '../support/unit/processorTime';

const enough = { balance: 1e9, maxMessagesKept: 1_000_000 };
const text = { message: 'Hello', from: 'MyShop' };

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => `95977${String(1_000_000 + index)}`);

/** In proportion, 10 times as many take 10 times as long; with the square of the number it would be 100 times. */
async function expectProportion(work: (count: number) => Promise<void>, few: number) {
	const times = 10;
	await work(few);
	const msOfFew = await processorMs(async () => await work(few));
	const msOfMany = await processorMs(async () => await work(few * times));
	// Other programs of the machine slow the longer work down more.
	expect(msOfMany / msOfFew).toBeLessThan(4 * times);
}

describe('SMS Bulk Send to the numbers of one item', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsBulkSend');

	test('takes time in proportion to their number', async () => {
		const send = async (count: number) => {
			const { json } = await run({ to: numbers(count), ...text });
			expect(json).toHaveLength(count);
		};
		await expectProportion(send, 1_000);
	}, 120_000);
});

describe.each(sendNodes)('a campaign of $type that Max Messages stops', ({ type }) => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, type);

	test('takes time in proportion to its items', async () => {
		const refuse = async (count: number) => {
			const items = numbers(count).map((to) => ({ to, message: 'Hello' }));
			const settings = { onError: 'continueRegularOutput' as const };
			const given = { ...mapped, options: { maxMessages: 1 } };
			const { json } = await run(given, { items, settings });
			expect(json).toHaveLength(count);
		};
		await expectProportion(refuse, 400);
	}, 120_000);
});

describe('Skip If Already Sent of SMS Bulk Send', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const count = 6_000;

	test('reads history once for all items, in pages of 1,000, five at a time', async () => {
		const items = numbers(count).map((to) => ({ to, message: 'Hello' }));
		const now = Date.now();
		sandbox.seedMessages(count, (index) => ({
			...items[index],
			from: 'MyShop',
			createdAtMs: now - count + index,
		}));
		// Long enough for five to meet on a busy machine.
		sandbox.configure({ latencyMs: 500 });
		const { json } = await run({ ...mapped, options: { skipIfAlreadySent: true } }, { items });
		expect(json.filter(({ alreadySent }) => alreadySent === true)).toHaveLength(count);
		expect(sandbox.stats().byPath).toEqual({
			'/api/rest/messages': { requests: count / 1000, peakInFlight: 5 },
		});
	}, 60_000);
});

describe('Skip If Already Sent of SMS Send', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsSend');

	test('reads a long history once for all numbers abroad', async () => {
		sandbox.seedMessages(5_000);
		const items = Array.from({ length: 10 }, (_, index) => ({
			to: `+6591230${String(100 + index)}`,
			message: 'Hello',
			reference: `order-${index}`,
		}));
		const options = { clientReference: '={{ $json.reference }}', skipIfAlreadySent: true };
		const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
		expect(json).toHaveLength(10);
		expect(sandbox.stats().byPath['/api/rest/messages'].requests).toBeLessThanOrEqual(15);
	}, 30_000);

	test('takes time in proportion to the items that history shows', async () => {
		const skip = async (count: number) => {
			sandbox.reset();
			const items = numbers(count).map((to, n) => ({ to, message: 'Hello', ref: `order-${n}` }));
			sandbox.seedMessages(count, (n) => ({
				...items[n],
				from: 'MyShop',
				clientReference: items[n].ref,
			}));
			const options = { clientReference: '={{ $json.ref }}', skipIfAlreadySent: true };
			const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
			expect(json.filter(({ alreadySent }) => alreadySent === true)).toHaveLength(count);
		};
		await expectProportion(skip, 1_000);
	}, 120_000);
});

describe.each(sendNodes)('$type, whose response is lost', ({ type, path }) => {
	const sandbox = useSandbox({ maxMessagesKept: 1_000_000 });
	const run = runAgainst(sandbox, type);
	shortenDelivery();
	// Time enough for a second look, also on a busy machine.
	beforeAll(() => {
		const polls = [1, 50, 200, 1_000, 5_000];
		Object.assign(deliveryTiming, { polls, doubtLastsMs: 5_000, doubtAfterTimeOutLastsMs: 5_000 });
	});
	const wanted = wantedMessages(10);

	beforeEach(() => sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' }));

	test('finds its message among 12,000 of the same minute', async () => {
		const now = Date.now();
		sandbox.seedMessages(12_000, () => ({ createdAtMs: now, listedFromMs: now }));
		const { json } = await run(mapped, { items: wanted });
		const found = json.filter(({ to }) => wanted.some((one) => one.to === to));
		expect(found).toHaveLength(wanted.length);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(12_000 + wanted.length);
	}, 60_000);
});

describe.each([
	{ type: 'SmsSend', path: '/rest/send', few: 250, perPage: 4 },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', few: 1_000, perPage: 3 },
] as const)(
	'the retry of a campaign of $type that failed at its first request',
	({ type, path, few, perPage }) => {
		const sandbox = useSandbox(enough);
		const node = { type, parameters: mapped } as const;
		const countLooks = async (count: number) => {
			sandbox.reset();
			const given = {
				credentials: credentialsOf(sandbox),
				items: wantedMessages(count).map((one, n) => ({ ...one, to: `95977${1_000_000 + n}` })),
			};
			sandbox.addFault({ match: { path }, effect: { status: 401 } });
			const { run: failed } = await runNode(node, given);
			sandbox.clearFaults();
			const before = sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0;
			expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
			const { json } = await runNode(node, { ...given, retryOf: failed });
			expect(json).toHaveLength(count);
			return (sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0) - before;
		};

		test('reads history in proportion to its size', async () => {
			const looks = [await countLooks(few), await countLooks(2 * few)];
			const most = perPage * Math.ceil(few / 1000) + 4;
			const isLinear = looks[0] <= most && looks[1] <= 2 * most;
			expect({ looks, isLinear }).toEqual({ looks, isLinear: true });
		}, 60_000);
	},
);
