import type { Book } from './book';
import { isFailed } from './reading';
import { plainTraits, type World } from './world';

/** What a world is made of: what was drawn, and for faults of the service what was met. */
function traitsOf(world: World, { requests, attempts }: Book): string[] {
	const { node, options, onError, tries, passes, service, serviceTimeZone, rows } = world;
	const retries = world.executions.flatMap((one) => one.retries);
	const texts = rows.map(({ numbers, text }) => `${numbers.join()} ${text}`);
	return [
		`node ${node}`,
		`On Error ${onError}`,
		`items ${rows.length === 1 ? '1' : rows.length < 7 ? '2 to 6' : '7 to 40'}`,
		`executions ${world.executions.length}`,
		`tries ${tries}`,
		`retries by hand, most of one execution ${Math.max(...world.executions.map((one) => one.retries.length))}`,
		...requests.map(({ kind, plan }) => `${kind} response: ${String(plan?.response ?? 'records')}`),
		...requests.map(({ plan }) => (plan && 'accepts' in plan ? `accepts ${plan.accepts}` : '')),
		...requests.flatMap(({ stored, endedAt = 0 }) =>
			stored.map(({ createdAt, listedAt }) =>
				createdAt > endedAt ? 'accepted late' : listedAt > endedAt ? 'listed late' : '',
			),
		),
		...requests.map(({ retryAfterMs }) => (retryAfterMs ? 'Retry-After' : '')),
		...attempts.map(({ state, isRetry, execution }) =>
			isRetry ? `retry by hand ${execution}` : `attempt ${state}`,
		),
		...attempts.map(({ stoppedAt }) => (stoppedAt ? 'stopped' : '')),
		...world.executions.map(
			({ kind, workflow, failsBefore }) =>
				`execution ${kind} ${workflow}${failsBefore ? ' failed before' : ''}`,
		),
		...retries.flatMap(({ of, input, process, isAtOnce, isOtherAccount }) => [
			`retry of the ${of}`,
			`retry with input ${input}`,
			process ? 'retry in another process' : '',
			isAtOnce ? 'retry at once' : '',
			isOtherAccount ? 'retry with another account' : '',
		]),
		...Object.keys(options).map((name) => `option ${name}`),
		...Object.entries(service).map(([name, value]) =>
			plainTraits[name as 'order'] === value ? '' : `service ${name}`,
		),
		...(serviceTimeZone === 'Asia/Yangon' ? [] : [`zone ${serviceTimeZone}`]),
		...(passes > 1 ? ['loop'] : []),
		...(world.isTextChanging ? ['changing texts'] : []),
		...(new Set(texts).size < texts.length ? ['equal items'] : []),
		...(rows.some(({ numbers }) => numbers.length === 0) ? ['a wrong item'] : []),
		...(rows.some(({ from }) => from) ? ['several senders'] : []),
		...(rows.some(({ key }) => key) ? ['keys of items'] : []),
		...(world.clock.length > 0 ? ['clock set'] : []),
	];
}

function medianOf(list: number[]): number {
	return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

/** What the worlds of a search are made of. */
export class Shares {
	private readonly counts = new Map<string, number>();
	private readonly faults: number[] = [];
	private readonly attempts: number[] = [];

	add(world: World, book: Book): void {
		for (const trait of new Set(traitsOf(world, book))) {
			if (trait) this.counts.set(trait, (this.counts.get(trait) ?? 0) + 1);
		}
		this.faults.push(book.requests.filter(isFailed).length);
		this.attempts.push(book.attempts.length);
	}

	describe(): string {
		const worlds = this.faults.length;
		const lines = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
		const shares = lines.map(
			([trait, n]) => `${((100 * n) / worlds).toFixed(1).padStart(5)} %  ${trait}`,
		);
		const sends = `The median world has ${medianOf(this.faults)} faults and ${medianOf(this.attempts)} attempts.`;
		return [...shares, sends].join('\n');
	}
}
