import { plainCodes, type CodeWorld } from './codes/world';
import type { CodeBook } from './codes/book';
import { drawCodes } from './codes/draw';
import { judgeCodes } from './codes/judge';
import { playCodes } from './codes/play';
import { tellCodes } from './codes/story';
import type { Violation } from './invariants';
import { drawReceipts, plainReceipts, type ReceiptWorld } from './receipts/world';
import { judgeReceipts, tellReceipts } from './receipts/judge';
import { playReceipts, type ReceiptBook } from './receipts/play';
import { shrink, type Shrinking } from './shrink';
import { judgeWaits, tellWaits } from './waits/judge';
import { playWaits, type WaitBook } from './waits/play';
import { drawWaits, plainWait, type WaitWorld } from './waits/world';

/** Worlds of something else than messages. */
export interface Kind<W extends object = object, B = unknown> {
	name: string;
	draw(seed: number): W;
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
		optional: ['kill', 'visitor'],
		fixed: [],
		isEmpty: (world) => {
			const { visits } = world as CodeWorld;
			return visits.length === 0 || visits.some(({ people }) => people.length === 0);
		},
	},
};

const receipts: Kind<ReceiptWorld, ReceiptBook> = {
	name: 'receipts',
	draw: drawReceipts,
	play: playReceipts,
	judge: judgeReceipts,
	tell: tellReceipts,
	shrinking: {
		plain: plainReceipts,
		optional: ['clientReference'],
		fixed: [],
		isEmpty: (world) => {
			const { calls } = world as ReceiptWorld;
			return calls.length === 0 || calls.some((call) => call.receipts.length === 0);
		},
	},
};

const waits: Kind<WaitWorld, WaitBook> = {
	name: 'waits',
	draw: drawWaits,
	play: playWaits,
	judge: judgeWaits,
	tell: tellWaits,
	shrinking: { plain: plainWait, optional: ['killAtMs'], fixed: [], isEmpty: () => false },
};

export const kinds = [codes, receipts, waits] as unknown as Kind[];

/** What a world shows, and its story. */
export async function playKind(kind: Kind, world: object) {
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
	const { tell } = await playKind(kind, smallest);
	return `${tell()}\n${JSON.stringify(smallest)}`;
}
