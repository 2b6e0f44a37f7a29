import type { Book } from './book';
import { draw } from './draw';
import { knownFaults, type KnownFault } from './faults';
import { judge, type Violation } from './invariants';
import { play } from './play';
import { ofMessages, shrink } from './shrink';
import type { World } from './world';

export interface Find {
	seed: number;
	/** `undefined` for a fault that nobody knew. */
	fault?: KnownFault;
	violation: Violation;
	world: World;
	book: Book;
}

export function recognise(violation: Violation, world: World, book: Book): KnownFault | undefined {
	return knownFaults.find(({ isStory }) => isStory(violation, world, book));
}

/** What the world of a seed shows, one find for each sign and fault. */
export async function search(seed: number): Promise<{ world: World; book: Book; finds: Find[] }> {
	const world = draw(seed);
	const book = await play(world);
	const finds = new Map<string, Find>();
	for (const violation of judge(world, book)) {
		const fault = recognise(violation, world, book);
		finds.set(`${violation.sign} ${fault?.name ?? ''}`, { seed, fault, violation, world, book });
	}
	return { world, book, finds: [...finds.values()] };
}

/** The smallest world that shows the same. */
export async function shrinkFind(find: Find): Promise<Find> {
	const findAgain = async (world: World): Promise<Find | undefined> => {
		const book = await play(world);
		const same = judge(world, book).find(
			(violation) =>
				violation.sign === find.violation.sign && recognise(violation, world, book) === find.fault,
		);
		return same && { ...find, world, book, violation: same };
	};
	const { executions, rows, sends, reads, ...rest } = find.world;
	const world = await shrink(
		// The order in which they are made smaller.
		{ executions, rows, sends, reads, ...rest },
		async (smaller) => (await findAgain(smaller)) !== undefined,
		ofMessages,
	);
	return (await findAgain(world)) ?? find;
}
