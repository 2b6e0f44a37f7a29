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
	/** Fields that can go. */
	optional: string[];
	/** Whether a world is too small to be played. */
	isEmpty(world: object): boolean;
}

/** A field whose entries can go one by one, and those that stay. */
const open = 'options';
const fixed = [open, 'node', 'service', 'executions', 'atMs', 'text'];

export const ofMessages: Shrinking = {
	plain: {
		...{ ...plainRead, ...plainTraits, ...plainRetry, ...plainStart, ...plainWorld, ...plainSend },
		...{ isAtOnce: false, retries: [], workflow: 'A', request: 1, afterMs: 0 },
	},
	optional: ['kill', 'stop', 'retryAfter', 'ref', 'from'],
	isEmpty: (world) => {
		const { rows, executions } = world as World;
		return rows.length === 0 || executions.length === 0;
	},
};

type Part = Record<string, unknown>;

/** Smaller worlds, one step away, those that leave out most first. */
function* smaller(value: unknown, rules: Shrinking, name = ''): Generator<unknown> {
	if (Array.isArray(value) && name !== 'numbers') {
		for (let size = value.length; size >= 1; size = Math.floor(size / 2))
			for (let at = 0; at < value.length; at += size)
				yield [...value.slice(0, at), ...value.slice(at + size)];
		for (const [n, one] of value.entries())
			for (const next of smaller(one, rules)) yield Object.assign([...value], { [n]: next });
	} else if (typeof value === 'object' && value !== null) {
		for (const [key, inner] of Object.entries(value as Part)) {
			const { [key]: left, ...others } = value as Part;
			const plain = rules.plain[key];
			if (name === open || rules.optional.includes(key)) yield others;
			else if (
				!fixed.includes(key) &&
				key in rules.plain &&
				JSON.stringify(left) !== JSON.stringify(plain)
			)
				yield { ...value, [key]: plain };
			for (const next of smaller(inner, rules, key)) yield { ...value, [key]: next };
		}
	}
}

/** Makes a world smaller as long as it still shows its fault. */
export async function shrink<W extends object>(
	world: W,
	isStill: (smaller: W) => Promise<boolean>,
	rules: Shrinking,
	mostTries = 600,
): Promise<W> {
	let best = world;
	let tries = 0;
	// What did not help is tried again only in the next round.
	for (let before: W | undefined; before !== best; ) {
		before = best;
		for (let n = 0; tries < mostTries; ) {
			const next = [...smaller(best, rules)][n] as W | undefined;
			if (!next) break;
			const isTried = !rules.isEmpty(next);
			if (isTried) tries += 1;
			if (isTried && (await isStill(next))) best = next;
			else n += 1;
		}
	}
	return best;
}
