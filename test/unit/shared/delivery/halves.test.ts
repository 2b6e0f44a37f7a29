import fc from 'fast-check';

import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import { halve, sendInParts } from '../../../../nodes/shared/delivery/halves';
import type { Outgoing } from '../../../../nodes/shared/delivery/Outgoing';

const refusal = new ServiceError('rejected', { status: 400, words: 'Invalid number' });
const toOutgoing = (n: number) => ({ request: { to: String(n) } }) as Outgoing;

/** A service that refuses each request with one of the wrong messages in it. */
async function separate(count: number, isWrong: (n: number) => boolean) {
	const accepted: number[] = [];
	const alone: number[] = [];
	let requests = 0;
	const messages = Array.from({ length: count }, (_, n) => toOutgoing(n));
	const rest = await sendInParts(halve(messages), refusal, async (part) => {
		requests += 1;
		const numbers = part.map(({ request }) => Number(request.to));
		if (!numbers.some(isWrong)) accepted.push(...numbers);
		else if (numbers.length === 1) {
			alone.push(...numbers);
			part[0].outcome = refusal;
		}
		return numbers.some(isWrong) ? refusal : undefined;
	});
	const given = rest?.messages.map(({ request }) => Number(request.to)) ?? [];
	return { accepted, alone, requests, rest, given };
}

describe('a refused request in halves', () => {
	test('is a first and a second half', () => {
		const sizes = (count: number) =>
			halve(Array(count).fill(toOutgoing(0))).map((one) => one.length);
		expect([100, 5, 2, 1, 0].map(sizes)).toEqual([[50, 50], [3, 2], [1, 1], [1], []]);
	});

	test('takes at most 14 requests to find one wrong message of a hundred', async () => {
		for (let wrong = 0; wrong < 100; wrong += 1) {
			const { accepted, alone, requests, rest } = await separate(100, (n) => n === wrong);
			expect([accepted.length, alone, rest]).toEqual([99, [wrong], undefined]);
			expect(requests).toBeLessThanOrEqual(14);
		}
	});

	test('ends after 14 refusals in a row, the first request among them, and says what is left', async () => {
		const { requests, rest, accepted, given } = await separate(100, () => true);
		expect([requests, accepted]).toEqual([13, []]);
		expect(rest?.failure).toMatchObject({ kind: 'rejected', facts: { words: 'Invalid number' } });
		expect(rest?.failure.facts).toMatchObject({ code: 'rejectedInARow', requests: 14 });
		expect(given).toHaveLength(100);
	});

	test('decides every message once, whichever are wrong', async () => {
		const wrong = fc.uniqueArray(fc.nat(99), { maxLength: 20 });
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 2, max: 100 }), wrong, async (count, list) => {
				const { accepted, alone, given } = await separate(count, (n) => list.includes(n));
				const all = [...accepted, ...alone, ...given].sort((a, b) => a - b);
				expect(all).toEqual(Array.from({ length: count }, (_, n) => n));
				expect(alone.every((n) => list.includes(n))).toBe(true);
			}),
			{ numRuns: 50 },
		);
	});
});
