import { judge, type Violation } from './invariants';
import { play } from './play';
import { tell } from './story';
import { complete, type World } from './world';

export interface Tried {
	violations: Violation[];
	/** What happened, in words. */
	tell(): string;
}

/** @param abridged without what is plain */
export async function tryWorld(abridged: Partial<World>): Promise<Tried> {
	const world = complete(abridged);
	const book = await play(world);
	const violations = judge(world, book);
	return { violations, tell: () => tell(world, book, violations) };
}
