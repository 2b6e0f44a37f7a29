import { checkKept, kept } from '../simulation/check';
import { judge } from '../simulation/invariants';
import { kinds, playKind } from '../simulation/kinds';
import { search } from '../simulation/search';
import { tell } from '../simulation/story';

/** About five seconds of the simulator, in pieces: a mutant meets those that reach it. The kept worlds come first. */
const pieces = 15;
const seedsOfPiece = 10;

describe('the simulator', () => {
	test.each(kept)('knows the world "$name"', async (world) => {
		expect(await checkKept([world])).toEqual({});
	});

	test.each(Array.from({ length: pieces }, (_, n) => n * seedsOfPiece + 1))(
		'finds nothing in ten seeds from %i on',
		async (first) => {
			for (let seed = first; seed < first + seedsOfPiece; seed += 1) {
				const { world, book, finds } = await search(seed);
				const unknown = finds.filter(({ fault }) => !fault);
				expect(unknown.length && tell(world, book, judge(world, book))).toBe(0);
			}
		},
	);

	test.each(kinds)('finds nothing in thirty seeds of $name', async (kind) => {
		for (let seed = 1; seed <= 3 * seedsOfPiece; seed += 1) {
			const { violations, tell: tellIt } = await playKind(kind, kind.draw(seed));
			expect(violations.length && tellIt()).toBe(0);
		}
	});
});
