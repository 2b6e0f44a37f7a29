import fc from 'fast-check';
import { toParts, type Outgoing } from '../../../../nodes/shared/delivery/Outgoing';

describe('Outgoing', () => {
	const toOutgoing = (to: string, most?: number) => ({ request: { to }, most }) as Outgoing;
	const numbersOf = (groups: Outgoing[][]) =>
		groups.map((group) => group.map(({ request }) => request.to));

	test('parts hold every message once, in order, and no more than their size', () => {
		fc.assert(
			fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 9 }), (keys, size) => {
				const parts = toParts(
					keys.map((key) => toOutgoing(key)),
					size,
				);
				expect(numbersOf(parts).flat()).toEqual(keys);
				for (const part of parts) expect(part.length).toBeGreaterThan(0);
				for (const part of parts.slice(0, -1)) expect(part).toHaveLength(size);
				expect(parts.at(-1)?.length ?? 0).toBeLessThanOrEqual(size);
			}),
		);
	});

	test('parts hold what is sent again after a rejection in smaller requests, apart from the rest', () => {
		const messages = [
			...['a', 'b', 'c'].map((key) => toOutgoing(key, 2)),
			...['d', 'e'].map((key) => toOutgoing(key, 1)),
			...['f', 'g', 'h'].map((key) => toOutgoing(key)),
		];
		expect(numbersOf(toParts(messages, 100))).toEqual([
			...[['a', 'b'], ['c'], ['d'], ['e'], ['f', 'g', 'h']],
		]);
	});
});
