import { Chance } from '../chance';
import { forms } from '../receipts/world';

/** One message of SMS Send and Wait for Delivery, as plain JSON. The same world gives the same story. */
export interface WaitWorld {
	kind: 'waits';
	seed: number;
	waitFor: 'anyFinal' | 'delivered';
	/** Time Limit. */
	minutes: number;
	/** How n8n and the service write its number, in receipts and in history. */
	number: keyof typeof numbers;
	/** Statuses of the message at the service, after its send. */
	statuses: Array<{ atMs: number; status: string }>;
	/** What message history does with the n-th request; nothing special after the last. */
	reads: ReadPlan[];
	/** Calls of the address that receipts go to. */
	calls: WaitCall[];
	/** How long n8n takes to save that the execution waits. */
	saveMs: number;
	/** When its process is killed, and another one takes the calls. */
	killAtMs?: number;
}

export type ReadPlan = 'records' | 'unavailable' | 'cut' | 'without';

export interface WaitCall {
	/** After the send. */
	atMs: number;
	message: 'own' | 'other';
	status: string;
	form: 'query' | 'json' | 'list' | 'form' | 'broken' | 'withoutStatus';
	proof: 'right' | 'wrong' | 'missing';
}

export const ownNumber = '959791000001';
export const numbers = {
	usual: ownNumber,
	plus: `+${ownNumber}`,
	masked: '959*******',
	missing: undefined,
};
export const wires: Pick<typeof forms, WaitCall['form']> = forms;

export const plainWait: Record<string, unknown> = {
	...{ waitFor: 'anyFinal', minutes: 5, number: 'usual', statuses: [], reads: [], calls: [] },
	...{ saveMs: 50, message: 'own', form: 'json', proof: 'right' },
};

const words = ['Sent', 'Queued', '?', 'Delivered', 'Success', 'Failed', 'Undelivered'];

export function drawWaits(seed: number): WaitWorld {
	const chance = new Chance(seed ^ 0xbed);
	const minutes = chance.pick([0.1, 0.5, 2, 5, 30]);
	const drawMs = () =>
		chance.is(0.7)
			? chance.between(0, Math.min(minutes, 20) * 60_000)
			: chance.between(0, 1_000) +
				chance.pick([0, minutes * 60_000 - 500, minutes * 60_000 + 20_000]);
	const statuses = Array.from({ length: chance.between(0, 4) }, () => ({
		atMs: drawMs(),
		status: chance.pick(words),
	})).sort((a, b) => a.atMs - b.atMs);
	const reported = statuses
		.filter(() => chance.is(0.6))
		.map(({ atMs, status }) => ({ atMs: atMs + chance.pick([0, 100, 5_000]), status }));
	const others = Array.from({ length: chance.between(0, 3) }, () => ({
		atMs: drawMs(),
		status: chance.pick(words),
	}));
	return {
		...{ kind: 'waits', seed, minutes, statuses },
		waitFor: chance.choose({ anyFinal: 1, delivered: 1 }),
		number: chance.choose({ usual: 6, plus: 1, masked: 2, missing: 1 }),
		reads: Array.from({ length: chance.between(0, 6) }, () =>
			chance.choose<ReadPlan>({ records: 6, unavailable: 2, cut: 1, without: 1 }),
		),
		calls: [...reported, ...others].map((one, n) => ({
			...one,
			message: n < reported.length ? 'own' : chance.choose({ own: 1, other: 1 }),
			form: chance.choose({ json: 4, query: 2, list: 1, form: 1, broken: 0.3, withoutStatus: 0.3 }),
			proof: chance.choose({ right: n < reported.length ? 20 : 1, wrong: 1, missing: 1 }),
		})),
		saveMs: chance.pick([0, 50, 3_000]),
		...(chance.is(0.2) && { killAtMs: drawMs() }),
	};
}
