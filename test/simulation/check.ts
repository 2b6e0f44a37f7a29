import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { judge } from './invariants';
import { kinds, playKind } from './kinds';
import { play } from './play';
import { recognise, search } from './search';
import { tell } from './story';
import { complete, type World } from './world';

/** A world that showed a fault, made as small as it goes. */
interface Kept {
	name: string;
	/** `known`: the fault is there, and faults.ts has its story. `mended`: nothing may be wrong. */
	state: 'known' | 'mended';
	/** Of messages, without what is plain; another kind names itself. */
	world: Partial<World> & { kind?: string };
}

export const kept = JSON.parse(readFileSync(join(__dirname, 'worlds.json'), 'utf8')) as Kept[];

/** Seeds of the fixed search, also for each of the other kinds, and of those that are played twice. */
const seeds = 600;
const seedsOfKind = { codes: 100, receipts: 60, waits: 60 };
const seedsTwice = 40;
const seedsOfKindTwice = 10;

/** Story by name: what a kept world shows that it should not, or no longer shows. Empty if all is well. */
export async function checkKept(worlds = kept): Promise<Record<string, string>> {
	const wrong: Record<string, string> = {};
	for (const { name, state, world: abridged } of worlds) {
		const kind = kinds.find((one) => one.name === abridged.kind);
		if (kind) {
			const { violations, tell: tellIt } = await playKind(kind, abridged);
			if (violations.length > 0) wrong[name] = tellIt();
			continue;
		}
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

/** The same for the other kinds of worlds. */
async function checkKinds(): Promise<string[]> {
	const stories: string[] = [];
	for (const kind of kinds) {
		const last = seedsOfKind[kind.name as keyof typeof seedsOfKind];
		for (let seed = 1; seed <= last; seed += 1) {
			const { violations, tell: tellIt } = await playKind(kind, kind.draw(seed));
			if (violations.length > 0) stories.push(`Seed ${seed}, ${kind.name}: ${tellIt()}`);
		}
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
	for (const kind of kinds) {
		for (let seed = 1; seed <= seedsOfKindTwice; seed += 1) {
			const [one, other] = [kind.draw(seed), kind.draw(seed)];
			const stories = [await playKind(kind, one), await playKind(kind, other)];
			if (stories[0].tell() !== stories[1].tell()) different.push(seed);
		}
	}
	return different;
}

/** All of it, as one value. */
export async function check() {
	const [wrong, different] = [await checkKept(), await checkRepeats()];
	const unknown = [...(await checkSeeds()), ...(await checkKinds())];
	return { wrong, unknown, different, processorMs: process.cpuUsage().user / 1000 };
}
