import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { judge } from './invariants';
import { play } from './play';
import { recognise, search } from './search';
import { tell } from './story';
import { complete, type World } from './world';

/** A world that showed a fault, made as small as it goes. */
interface Kept {
	name: string;
	/** `known`: the fault is there, and faults.ts has its story. `mended`: nothing may be wrong. */
	state: 'known' | 'mended';
	/** Without what is plain. */
	world: Partial<World>;
}

export const kept = JSON.parse(readFileSync(join(__dirname, 'worlds.json'), 'utf8')) as Kept[];

/** Seeds of the fixed search, and of those that are played twice. */
const seeds = 1_000;
const seedsTwice = 40;

/** Story by name: what a kept world shows that it should not, or no longer shows. Empty if all is well. */
export async function checkKept(worlds = kept): Promise<Record<string, string>> {
	const wrong: Record<string, string> = {};
	for (const { name, state, world: abridged } of worlds) {
		const world = complete(abridged);
		const book = await play(world);
		const violations = judge(world, book);
		const names = violations.map((one) => recognise(one, world, book)?.name);
		const isRight = state === 'known' ? names.includes(name) : violations.length === 0;
		if (!isRight) wrong[name] = tell(world, book, violations);
	}
	return wrong;
}

/** Stories of the fixed seeds that show a fault that is not known. */
export async function checkSeeds(): Promise<string[]> {
	const stories: string[] = [];
	for (let seed = 1; seed <= seeds; seed += 1) {
		const { world, book, finds } = await search(seed);
		if (finds.some(({ fault }) => !fault))
			stories.push(`Seed ${seed}: ${tell(world, book, judge(world, book))}`);
	}
	return stories;
}

/** Seeds whose story differs when they are played again. */
export async function checkRepeats(): Promise<number[]> {
	const different: number[] = [];
	for (let seed = 1; seed <= seedsTwice; seed += 1) {
		const [one, other] = [await search(seed), await search(seed)];
		const [first, second] = [one, other].map(({ world, book }) =>
			tell(world, book, judge(world, book)),
		);
		if (first !== second) different.push(seed);
	}
	return different;
}

/** All of it, as one value. */
export async function check() {
	const [wrong, unknown, different] = [await checkKept(), await checkSeeds(), await checkRepeats()];
	return { wrong, unknown, different, processorMs: process.cpuUsage().user / 1000 };
}
