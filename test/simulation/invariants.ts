import type { Book } from './book';
import { withinBounds } from './judge/bounds';
import { toldTruly } from './judge/falsely';
import { nothingLost } from './judge/lost';
import { neverTwice } from './judge/twice';
import type { World } from './world';

/** A sentence of SECURITY.md or docs/never-twice.md that does not hold. */
export interface Violation {
	/** Number of the question, and what broke it: the same for the same fault. */
	sign: string;
	what: string;
}

export type Invariant = (world: World, book: Book) => Violation[];

/**
 * All that does not hold in a world: a message that was sent twice, silently lost or told falsely, and what goes on
 * for too long. "Outcome unknown, nothing was sent again" after a lost response is a success.
 */
export function judge(world: World, book: Book): Violation[] {
	return [...neverTwice, ...nothingLost, ...toldTruly, ...withinBounds].flatMap((invariant) =>
		invariant(world, book),
	);
}
