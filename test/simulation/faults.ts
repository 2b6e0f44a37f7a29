import type { Book } from './book';
import type { Violation } from './invariants';
import type { World } from './world';

/** A fault that is known, so that a search can go on behind it. */
export interface KnownFault {
	name: string;
	/** Whether this is its story, not that of another fault. */
	isStory(violation: Violation, world: World, book: Book): boolean;
}

export const knownFaults: KnownFault[] = [];
