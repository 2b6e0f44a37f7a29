import { checkKept, kept } from '../simulation/check';
import { kinds, playKind } from '../simulation/kinds';

/** About five seconds of the simulator, in pieces: a mutant meets those that reach it. The kept worlds come first. */
const pieces = 15;
const seedsOfPiece = 10;

describe('the simulator', () => {
	test.each(kept)('knows the world "$name"', async (world) => {
		expect(await checkKept([world])).toEqual({});
	});

	const all = kinds.flatMap((kind) =>
		Array.from({ length: kind.name === 'messages' ? pieces : 3 }, (_, n) => ({
			...{ kind, name: kind.name, first: n * seedsOfPiece + 1 },
		})),
	);
	test.each(all)('finds nothing in ten seeds of $name from $first on', async ({ kind, first }) => {
		for (let seed = first; seed < first + seedsOfPiece; seed += 1) {
			const { violations, tell } = await playKind(kind, kind.draw(seed));
			expect(violations.length && tell()).toBe(0);
		}
	});
});
