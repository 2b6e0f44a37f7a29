import { describeGuessing, guessingOdds } from '../../../nodes/OtpRequest/guessing';

const usual = {
	pinLength: 6,
	maxInvalidAttempts: 5,
	maxPerRecipient: 5,
	maxPerRecipientPerDay: 20,
};

describe('the odds of guessing a code within a day', () => {
	test.each([
		[6, 5, 20, 0.0001],
		[5, 5, 20, 0.001],
		[4, 5, 20, 0.00995],
		[4, 3, 3, 0.0009],
		[4, 10, 20, 0.0198],
		[6, 10, 100, 0.001],
		[6, 5, 200, 0.001],
		// Without a limit of a day, 5 codes in 10 minutes are 720.
		[6, 5, 0, 0.0036],
		[4, 10, 0, 0.513],
		[8, 10, 0, 0.00007],
		[undefined, undefined, 20, 0.0001],
	])(
		'with Code Length %p, Max Invalid Attempts %p and %p codes a day are %p',
		(pinLength, maxInvalidAttempts, maxPerRecipientPerDay, odds) => {
			const options = { ...usual, pinLength, maxInvalidAttempts, maxPerRecipientPerDay };
			expect(guessingOdds(options)).toBeCloseTo(odds, 3);
		},
	);

	test('are certain where nothing limits the codes', () => {
		expect(guessingOdds({ ...usual, maxPerRecipient: 0, maxPerRecipientPerDay: 0 })).toBe(1);
	});
});

test.each([
	[{}, undefined],
	[{ pinLength: 5 }, undefined],
	[{ pinLength: 4 }, /^Guessing for a day finds a code with odds of 1 in 100\. Raise Code Length/],
	[{ pinLength: 5, maxInvalidAttempts: 6 }, /1 in 834\./],
	[{ pinLength: 4, maxInvalidAttempts: 3, maxPerRecipientPerDay: 3 }, undefined],
	[{ pinLength: 4, maxInvalidAttempts: 10, maxPerRecipientPerDay: 0 }, /of 51 %\./],
	[{ maxPerRecipientPerDay: 0 }, /1 in 278\./],
])('a sentence says so above 1 in 1,000: %j', (options, sentence) => {
	const said = describeGuessing({ ...usual, ...options });
	if (!sentence) expect(said).toBeUndefined();
	else expect(said).toMatch(sentence);
	expect((said ?? '').length).toBeLessThanOrEqual(120);
});
