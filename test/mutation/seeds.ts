import { checkKept, kept } from '../simulation/check';
import { draw } from '../simulation/draw';
import { tryWorld } from '../simulation/tryWorld';

/** About five seconds of the simulator, in pieces: a mutant meets those that reach it. The kept worlds come first. */
const pieces = Array.from({ length: 15 }, (_, n) => n * 10 + 1);

describe('the simulator', () => {
	test.each(kept)('knows the world "$name"', async (world) => {
		expect(await checkKept([world])).toEqual({});
	});

	test.each(pieces)('finds nothing in ten seeds from %d on', async (first) => {
		for (let seed = first; seed < first + 10; seed += 1) {
			const { violations, tell } = await tryWorld(draw(seed));
			expect(violations.length && tell()).toBe(0);
		}
	});
});
