import { formatSeconds, medianMs, runInTurn, worstTraffic, type Row } from '../measure';
import { createItems, mappedFields, ourNode } from '../nodes';
import { createContestant, type Bench, type Run } from '../contestant';

/** Other messages of the account, so new that the lookup has to read all of them. */
const others = { seed: 5_000, seedAgeMs: 60_000 };
const parallelRequests = 20;

/** The middle size with its bounds; those of the other sizes are in proportion. */
const campaigns = [
	{
		name: 'SMS Send',
		type: 'smsSend',
		share: 0.8,
		msEach: 25_000 / 8_000,
		historyEach: 30 / 8_000,
	},
	{
		name: 'SMS Bulk Send',
		type: 'smsBulkSend',
		share: 4,
		msEach: 12_000 / 40_000,
		historyEach: 80 / 40_000,
	},
];

interface Retry {
	run: Run;
	count: number;
	atMostMs: number;
	atMostRequests: number;
}

/** Every text is in the service once. */
async function checkAreSentOnce({ sandbox }: Bench, { name, items }: Run): Promise<void> {
	const texts = (await sandbox.messages()).map(({ message }) => message);
	const wanted = new Set(items.map(({ message }) => message));
	const found = new Set(texts.filter((text) => wanted.has(text))).size;
	const missing = wanted.size - found;
	const extra = texts.length - others.seed - found;
	if (missing !== 0 || extra !== 0) {
		throw new Error(`${name}: ${missing} messages are missing, ${extra} are extra.`);
	}
}

/** Half, whole and double sizes, to see that time and requests grow in proportion. */
function planRetries(bench: Bench): Retry[] {
	return campaigns.flatMap(({ name, type, share, msEach, historyEach }) =>
		[0.5, 1, 2].map((factor) => {
			const count = Math.round(bench.items * share * factor);
			const run: Run = {
				name: `${name}, retry of ${count} messages`,
				nodes: [
					ourNode(type, bench.credential, { ...mappedFields, options: { parallelRequests } }),
				],
				items: createItems(count),
				itemsOut: count,
				...others,
				path: '/api/rest/messages',
				fault: { match: { path: '/rest/send*' }, effect: { status: 401 } },
				check: async () => await checkAreSentOnce(bench, run),
			};
			const atMostRequests = Math.ceil(count * historyEach);
			return { run, count, atMostMs: count * msEach, atMostRequests };
		}),
	);
}

/** The retry by hand of executions that failed before the service had accepted anything. */
export async function contestRetry(bench: Bench): Promise<Row[]> {
	const retries = planRetries(bench);
	const contestants = await Promise.all(
		retries.map(async ({ run }) => await createContestant(bench, run)),
	);
	const rounds = await runInTurn(contestants, bench.rounds);
	return retries.map(({ run: { name }, atMostMs, atMostRequests }) => {
		const ms = medianMs(rounds, name);
		const { requests = 0, peakInFlight } = worstTraffic(rounds, name);
		return {
			work: name,
			measured: `${formatSeconds(ms)}, 0 extra, 0 missing`,
			comparedTo: `${formatSeconds(atMostMs)} and ${atMostRequests} requests to history`,
			ratio: Math.max(ms / atMostMs, requests / atMostRequests),
			reach: { atMost: 1 },
			requests,
			peakInFlight,
		};
	});
}
