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

/** A line of the table: a node of ours next to what n8n offers for the same work. */
export interface Row extends Omit<Measured, 'ms'> {
	work: string;
	/** Medians, as text with their unit. */
	measured: string;
	comparedTo: string;
	/** The median of the ratios of times within each round. */
	ratio: number;
}

/** Of each contestant, what was measured in each round. */
export class Rounds {
	constructor(private readonly measured: Map<string, Measured[]>) {}

	private of(name: string): Measured[] {
		const found = this.measured.get(name);
		if (found) return found;
		throw new Error(`Nothing of the name "${name}" was measured.`);
	}

	medianMs(name: string): number {
		return median(this.of(name).map(({ ms }) => ms));
	}

	/** With the most requests and the highest peak of all rounds: a limit has to hold in every one of them. */
	compare(name: string, rival: string, show: (ms: number) => string = formatSeconds): Row {
		const [all, rivals] = [this.of(name), this.of(rival)];
		const most = (values: Array<number | undefined>) => Math.max(...values.map(Number));
		return {
			work: name,
			measured: show(this.medianMs(name)),
			comparedTo: `${rival} (${show(this.medianMs(rival))})`,
			ratio: median(all.map(({ ms }, round) => ms / rivals[round].ms)),
			...(all[0].requests !== undefined && {
				requests: most(all.map(({ requests }) => requests)),
				peakInFlight: most(all.map(({ peakInFlight }) => peakInFlight)),
			}),
		};
	}
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lets all run in turn, in the other direction in every second round: what disturbs the machine hits all of them. */
export async function runInTurn(contestants: Contestant[], rounds: number): Promise<Rounds> {
	const measured = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		const order = round % 2 === 0 ? contestants : [...contestants].reverse();
		for (const { name, run } of order) measured.get(name)?.push(await run());
	}
	return new Rounds(measured);
}

function formatSeconds(ms: number): string {
	return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** A Markdown table whose columns are as wide as their longest cell, as Prettier writes it. */
export function formatTable(head: string[], lines: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(...[title, ...lines.map((line) => line[column])].map((cell) => cell.length), 3),
	);
	const toLine = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	const rule = toLine(widths.map((width) => '-'.repeat(width)));
	return [toLine(head), rule, ...lines.map(toLine)].join('\n');
}

export function formatRows(rows: Row[]): string {
	return formatTable(
		['Work', 'Median', 'Compared to', 'Ratio', 'Requests', 'Peak in flight'],
		rows.map((row) => [
			...[row.work, row.measured, row.comparedTo, row.ratio.toFixed(2)],
			...[row.requests, row.peakInFlight].map((count) => String(count ?? '')),
		]),
	);
}
