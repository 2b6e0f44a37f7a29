import {
	plainRead,
	plainRetry,
	plainSend,
	plainStart,
	plainTraits,
	plainWorld,
	type World,
} from './world';

/** The plain value of each field, by its name. */
const plain: Record<string, unknown> = {
	...{ ...plainRead, ...plainTraits, ...plainRetry, ...plainStart, ...plainWorld, ...plainSend },
	...{ isAtOnce: false, retries: [], workflow: 'A', request: 1, afterMs: 0 },
};
/** Fields whose entries can go one by one. */
const open = ['options', 'safeguards'];
const optional = ['kill', 'stop', 'retryAfter', 'ref', 'from', 'key'];
const fixed = ['node', 'numbers', 'to', 'text', 'service', 'executions', 'atMs', ...open];

type Part = Record<string, unknown>;

/** Smaller worlds, one step away, those that leave out most first. */
function* smaller(value: unknown, replace: (next: unknown) => World): Generator<World> {
	if (Array.isArray(value)) {
		for (
			let size = Math.ceil(value.length / 2);
			size >= 1;
			size = size === 1 ? 0 : Math.ceil(size / 2)
		) {
			for (let at = 0; at < value.length; at += size) {
				yield replace([...value.slice(0, at), ...value.slice(at + size)]);
			}
		}
		for (const [n, one] of value.entries()) {
			yield* smaller(one, (next) =>
				replace(value.map((old: unknown, at) => (at === n ? next : old))),
			);
		}
	} else if (typeof value === 'object' && value !== null) {
		const part = value as Part;
		for (const [name, inner] of Object.entries(part)) {
			const { [name]: left, ...rest } = part;
			const isPlain = JSON.stringify(left) === JSON.stringify(plain[name]);
			if (optional.includes(name)) yield replace(rest);
			else if (!fixed.includes(name) && name in plain && !isPlain)
				yield replace({ ...part, [name]: plain[name] });
			if (open.includes(name)) {
				for (const option of Object.keys(inner as Part)) {
					const { [option]: gone, ...others } = inner as Part;
					if (gone !== undefined) yield replace({ ...part, [name]: others });
				}
			} else if (name !== 'numbers') {
				yield* smaller(inner, (next) => replace({ ...part, [name]: next }));
			}
		}
	}
}

/** Makes a world smaller as long as it still shows its fault. */
export async function shrink(
	world: World,
	isStill: (smaller: World) => Promise<boolean>,
	mostTries = 400,
): Promise<World> {
	const { executions, rows, sends, reads, ...rest } = world;
	// The order in which they are made smaller.
	let best: World = { executions, rows, sends, reads, ...rest };
	let tries = 0;
	let place = 0;
	for (let isSmaller = true; isSmaller; place = 0) {
		isSmaller = false;
		for (let isFound = true; isFound && tries < mostTries; ) {
			isFound = false;
			let n = 0;
			for (const next of smaller(best, (whole) => whole as World)) {
				n += 1;
				const isEmpty = next.rows.length === 0 || next.executions.length === 0;
				// What did not help before is tried again only in the next round.
				if (n <= place || isEmpty || tries >= mostTries) continue;
				tries += 1;
				place = n - 1;
				if (!(await isStill(next))) continue;
				best = next;
				isFound = isSmaller = true;
				break;
			}
		}
	}
	return best;
}
