import { isN8n1 } from '../../scripts/n8n/paths';
import { connectToSharedN8n, type N8n, type NodeUnderTest } from '../../tools/harness';
import { countWhenDone, reportMany } from '../support/e2e/manyReceipts';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { makeMarker } from '../support/e2e/runAgain';

/** By hand, the size of a campaign: `RECEIPTS_OF_MESSAGES=12000`. */
const messages = Number(process.env.RECEIPTS_OF_MESSAGES ?? 600);
/** The SQLite of n8n 1 comes to a standstill under more, whatever the nodes of a workflow are. */
const callers = isN8n1() ? 4 : 20;

/** A third of the messages is reported again, somewhere between the others. */
function planCalls(): string[] {
	const first = Array.from({ length: messages }, (_, n) => `message-${n}`);
	const again = first.filter((_, n) => n % 3 === 0);
	return [...first, ...again]
		.map((messageId, n) => ({ messageId, at: (n * 7919) % (messages + again.length) }))
		.sort((a, b) => a.at - b.at)
		.map(({ messageId }) => messageId);
}

describe(`receipts that come more than once, from ${callers} callers, in a real n8n`, () => {
	let n8n: N8n;
	beforeAll(async () => void (n8n = await connectToSharedN8n()));

	const publish = async (next: NodeUnderTest = makeMarker('Received')) => {
		const parameters = { options: {} };
		return await publishTrigger({ api: n8n.api, parameters, next });
	};

	test('start one execution each', async () => {
		const { url, workflowId } = await publish();
		const calls = planCalls();
		const statuses = await reportMany(url, calls, callers);
		expect(statuses).toEqual(calls.map(() => 200));
		process.stdout.write(`${calls.length} receipts of ${messages} messages\n`);
		expect(await countWhenDone(n8n.api, workflowId)).toBe(messages);
	}, 1_800_000);
});
