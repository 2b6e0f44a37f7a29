import {
	plainRead,
	plainRetry,
	plainSend,
	plainStart,
	plainTraits,
	plainWorld,
	type World,
} from './world';

/** How worlds of a kind become smaller. */
export interface Shrinking {
	/** The plain value of each field, by its name. */
	plain: Record<string, unknown>;
	/** Fields that can go, and those that stay as they are. */
	optional: string[];
	fixed: string[];
	/** Whether a world is too small to be played. */
	isEmpty(world: object): boolean;
}

/** Fields whose entries can go one by one. */
const open = ['options'];

export const ofMessages: Shrinking = {
	plain: {
		...{ ...plainRead, ...plainTraits, ...plainRetry, ...plainStart, ...plainWorld, ...plainSend },
		...{ isAtOnce: false, retries: [], workflow: 'A', request: 1, afterMs: 0 },
	},
	optional: ['kill', 'stop', 'retryAfter', 'ref', 'from', 'key'],
	fixed: ['node', 'numbers', 'to', 'text', 'service', 'executions', 'atMs', ...open],
	isEmpty: (world) => {
		const { rows, executions } = world as World;
		return rows.length === 0 || executions.length === 0;
	},
};

type Part = Record<string, unknown>;

/** Smaller worlds, one step away, those that leave out most first. */
function* smaller(
	value: unknown,
	rules: Shrinking,
	replace: (next: unknown) => object,
): Generator<object> {
	const { plain, optional, fixed } = rules;
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
			yield* smaller(one, rules, (next) =>
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
				yield* smaller(inner, rules, (next) => replace({ ...part, [name]: next }));
			}
		}
	}
}

/** Makes a world smaller as long as it still shows its fault. */
export async function shrink<W extends object>(
	world: W,
	isStill: (smaller: W) => Promise<boolean>,
	rules: Shrinking,
	mostTries = 400,
): Promise<W> {
	let best = world;
	let tries = 0;
	let place = 0;
	for (let isSmaller = true; isSmaller; place = 0) {
		isSmaller = false;
		for (let isFound = true; isFound && tries < mostTries; ) {
			isFound = false;
			let n = 0;
			for (const next of smaller(best, rules, (whole) => whole as object)) {
				n += 1;
				// What did not help before is tried again only in the next round.
				if (n <= place || rules.isEmpty(next) || tries >= mostTries) continue;
				tries += 1;
				place = n - 1;
				if (!(await isStill(next as W))) continue;
				best = next as W;
				isFound = isSmaller = true;
				break;
			}
		}
	}
	return best;
}
