import type { FaultRule, Settings } from '../../sandbox';
import { passingFaults } from './faultMix';

/** What goes wrong while messages are sent. */
export interface Scenario {
	name: string;
	/** In words, for the help and above the table. */
	what: string;
	/** Messages for each node. */
	count: number;
	/** Of SMS Bulk Send: a scenario of few messages needs many requests all the same, for some of them to fail. */
	recipientsPerRequest: number;
	settings: Partial<Settings>;
	faults: FaultRule[];
	/** n8n is killed when the service has this share of them; then n8n and the workflow are started again. */
	killedAfter?: number;
}

/** Hanging requests are given up after this many milliseconds, by all contenders. */
export const timeoutMs = 2_000;

const sends = { path: '/rest/send*' };
const busy = { latencyMs: 10, latencyJitterMs: 30 };
const lostAnswers: FaultRule = { match: sends, when: 'after', effect: 'cut', probability: 0.3 };

export const scenarios: Scenario[] = [
	{
		name: 'passing-faults',
		what: '30 % of all requests fail in some way, history is 3 s late',
		count: 10_000,
		recipientsPerRequest: 20,
		settings: { ...busy, historyLagMs: 3_000 },
		faults: passingFaults,
	},
	{
		name: 'late-history',
		what: '30 % of the responses get lost, history is 45 s late',
		count: 200,
		recipientsPerRequest: 2,
		settings: { ...busy, historyLagMs: 45_000 },
		faults: [lostAnswers],
	},
	{
		name: 'uneven-history',
		what: '30 % of the responses get lost, history is 0 to 25 s late, differently for each message',
		count: 200,
		recipientsPerRequest: 2,
		settings: { ...busy, historyLagJitterMs: 25_000 },
		faults: [lostAnswers],
	},
	{
		name: 'late-acceptance',
		what: "30 % of the requests get no answer, and are taken 16 s after the node's time-out",
		count: 200,
		recipientsPerRequest: 2,
		settings: busy,
		faults: [{ ...lostAnswers, when: 'later', laterMs: timeoutMs + 16_000, effect: 'hang' }],
	},
	{
		name: 'kill',
		what: 'n8n is killed after 40 % of the messages, then n8n and the workflow are started again',
		count: 1_000,
		recipientsPerRequest: 20,
		settings: { latencyMs: 200, historyLagMs: 1_000 },
		faults: [],
		killedAfter: 0.4,
	},
];
