/** One run of one contestant. */
export interface Measured {
	ms: number;
	/** Requests that reached the service, and the most of them at the same moment. */
	requests?: number;
	peakInFlight?: number;
}

export interface Contestant {
	name: string;
	run(): Promise<Measured>;
}

/** Of each contestant, what was measured in each round. */
export type Rounds = Map<string, Measured[]>;

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lets all run in turn, in the other direction in every second round: what disturbs the machine hits all of them. */
export async function runInTurn(contestants: Contestant[], rounds: number): Promise<Rounds> {
	const measured: Rounds = new Map(contestants.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		const order = round % 2 === 0 ? contestants : [...contestants].reverse();
		for (const { name, run } of order) measured.get(name)?.push(await run());
	}
	return measured;
}

function roundsOf(rounds: Rounds, name: string): Measured[] {
	const found = rounds.get(name);
	if (found) return found;
	throw new Error(`Nothing of the name "${name}" was measured.`);
}

export function medianMs(rounds: Rounds, name: string): number {
	return median(roundsOf(rounds, name).map(({ ms }) => ms));
}

/** The most requests and the highest peak of all rounds: a limit has to hold in every one of them. */
export function worstTraffic(rounds: Rounds, name: string): Pick<Row, 'requests' | 'peakInFlight'> {
	const all = roundsOf(rounds, name);
	if (all.some(({ requests }) => requests === undefined)) return {};
	return {
		requests: Math.max(...all.map(({ requests = 0 }) => requests)),
		peakInFlight: Math.max(...all.map(({ peakInFlight = 0 }) => peakInFlight)),
	};
}

/** The median of the ratios within each round. */
export function medianRatio(rounds: Rounds, name: string, rival: string): number {
	const rivals = roundsOf(rounds, rival);
	return median(roundsOf(rounds, name).map(({ ms }, round) => ms / rivals[round].ms));
}

/** A line of the table. */
export interface Row {
	work: string;
	/** Median, as text with its unit. */
	measured: string;
	comparedTo: string;
	ratio: number;
	/** The bound that the ratio is to keep; none for a line that is there to compare with. */
	reach?: { atMost: number } | { atLeast: number };
	requests?: number;
	peakInFlight?: number;
}

export function isReached({ ratio, reach }: Row): boolean {
	if (!reach) return true;
	return 'atMost' in reach ? ratio <= reach.atMost : ratio >= reach.atLeast;
}

export function formatSeconds(ms: number): string {
	return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** A row for one contestant next to another. */
export function compare(rounds: Rounds, name: string, rival: string, rest: Partial<Row> = {}): Row {
	return {
		work: name,
		measured: formatSeconds(medianMs(rounds, name)),
		comparedTo: `${rival} (${formatSeconds(medianMs(rounds, rival))})`,
		ratio: medianRatio(rounds, name, rival),
		...worstTraffic(rounds, name),
		...rest,
	};
}
