import { plainCodes, type CodeWorld } from './codes/world';
import type { CodeBook } from './codes/book';
import { drawCodes } from './codes/draw';
import { judgeCodes } from './codes/judge';
import { playCodes } from './codes/play';
import { tellCodes } from './codes/story';
import type { Book } from './book';
import { draw } from './draw';
import { judge, type Violation } from './invariants';
import { play } from './play';
import { ofMessages, shrink, type Shrinking } from './shrink';
import { tell } from './story';
import { complete, type World } from './world';

/** Worlds of one thing that the nodes do. */
export interface Kind<W extends object = object, B = unknown> {
	name: string;
	draw(seed: number): W;
	/** Fills in what a kept world leaves out because it is plain. */
	complete?(abridged: Partial<W>): W;
	play(world: W): Promise<B>;
	judge(world: W, book: B): Violation[];
	/** What happened, in words. */
	tell(world: W, book: B, violations: Violation[]): string;
	shrinking: Shrinking;
}

const codes: Kind<CodeWorld, CodeBook> = {
	name: 'codes',
	draw: drawCodes,
	play: playCodes,
	judge: judgeCodes,
	tell: tellCodes,
	shrinking: {
		plain: plainCodes,
		optional: ['kill'],
		isEmpty: (world) => {
			const { visits } = world as CodeWorld;
			return visits.length === 0 || visits.some(({ people }) => people.length === 0);
		},
	},
};

const messages: Kind<World, Book> = {
	name: 'messages',
	draw,
	complete,
	play,
	judge,
	tell,
	shrinking: ofMessages,
};

export const kinds = [messages, codes] as unknown as Kind[];

/** What a world shows, and its story. */
export async function playKind(kind: Kind, abridged: object) {
	const world = kind.complete?.(abridged) ?? abridged;
	const book = await kind.play(world);
	const violations = kind.judge(world, book);
	return { violations, tell: () => kind.tell(world, book, violations) };
}

/** The story of the smallest world that breaks the same, and its JSON. */
export async function shrinkKind(kind: Kind, world: object, sign: string): Promise<string> {
	const isStill = async (smaller: object) => {
		const { violations } = await playKind(kind, smaller);
		return violations.some((one) => one.sign === sign);
	};
	const smallest = await shrink(world, isStill, kind.shrinking);
	const { tell: tellIt } = await playKind(kind, smallest);
	const { plain } = kind.shrinking;
	const isPlain = (key: string, value: unknown) =>
		kind.complete && JSON.stringify(plain[key]) === JSON.stringify(value);
	const abridged = JSON.stringify(smallest, (key, value: unknown) =>
		isPlain(key, value) ? undefined : value,
	);
	return `${tellIt()}\n${abridged}`;
}
