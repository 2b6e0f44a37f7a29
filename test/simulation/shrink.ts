import { tryWorld } from './tryWorld';
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
/** Fields that can go. */
const optional = ['kill', 'stop', 'retryAfter', 'ref', 'from'];
/** A field whose entries can go one by one, and those that stay. */
const open = 'options';
const fixed = [open, 'node', 'service', 'executions', 'atMs', 'text'];

const mostTries = 600;

type Part = Record<string, unknown>;

const isPlain = (name: string, value: unknown) =>
	name in plain && JSON.stringify(value) === JSON.stringify(plain[name]);

/** Smaller worlds, one step away, those that leave out most first. */
function* smaller(value: unknown, name = ''): Generator<unknown> {
	if (Array.isArray(value) && name !== 'numbers') {
		for (let size = value.length; size >= 1; size = Math.floor(size / 2))
			for (let at = 0; at < value.length; at += size)
				yield [...value.slice(0, at), ...value.slice(at + size)];
		for (const [n, one] of value.entries())
			for (const next of smaller(one)) yield Object.assign([...value], { [n]: next });
	} else if (typeof value === 'object' && value !== null) {
		for (const [key, inner] of Object.entries(value as Part)) {
			const { [key]: left, ...others } = value as Part;
			if (name === open || optional.includes(key)) yield others;
			else if (!fixed.includes(key) && key in plain && !isPlain(key, left))
				yield { ...value, [key]: plain[key] };
			for (const next of smaller(inner, key)) yield { ...value, [key]: next };
		}
	}
}

/** Makes a world smaller as long as it still shows its fault. */
async function shrink(world: World, isStill: (smaller: World) => Promise<boolean>): Promise<World> {
	let best = world;
	let tries = 0;
	// What did not help is tried again only in the next round.
	for (let before: World | undefined; before !== best; ) {
		before = best;
		for (let n = 0; tries < mostTries; ) {
			const next = [...smaller(best)][n] as World | undefined;
			if (!next) break;
			const isTried = next.rows.length > 0 && next.executions.length > 0;
			if (isTried) tries += 1;
			if (isTried && (await isStill(next))) best = next;
			else n += 1;
		}
	}
	return best;
}

/** The story of the smallest world that breaks the same, and its JSON without what is plain. */
export async function tellSmallest(world: World, sign: string): Promise<string> {
	const smallest = await shrink(world, async (next) => {
		const { violations } = await tryWorld(next);
		return violations.some((one) => one.sign === sign);
	});
	const { tell } = await tryWorld(smallest);
	const abridged = JSON.stringify(smallest, (key, value: unknown) =>
		isPlain(key, value) ? undefined : value,
	);
	return `${tell()}\n${abridged}`;
}
