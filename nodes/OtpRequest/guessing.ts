import { dayMs, recipientWindowMs, type Limits } from './countCode';
import type { OtpOptions } from './otpOptions';

/** More is worth a warning. */
const bearableOdds = 1 / 1000;
/** Where the service decides, as most services do. */
const usualLength = 6;
const usualAttempts = 5;

type Guessable = Pick<OtpOptions, 'pinLength' | 'maxInvalidAttempts'> &
	Pick<Limits, 'maxPerRecipient' | 'maxPerRecipientPerDay'>;

/** How many codes one recipient can get in a day; the pause between codes adds nothing that matters here. */
function codesPerDay({ maxPerRecipient, maxPerRecipientPerDay }: Guessable): number {
	const byWindow = (maxPerRecipient * dayMs) / recipientWindowMs || Infinity;
	return Math.min(maxPerRecipientPerDay || Infinity, byWindow);
}

/** The odds, from 0 to 1, that somebody who guesses all day finds a code of one recipient. */
export function guessingOdds(options: Guessable): number {
	const { pinLength = usualLength, maxInvalidAttempts = usualAttempts } = options;
	const perCode = Math.min(maxInvalidAttempts / 10 ** pinLength, 1);
	return 1 - (1 - perCode) ** codesPerDay(options);
}

/** A sentence for the user where codes are too easy to guess. */
export function describeGuessing(options: Guessable): string | undefined {
	const odds = guessingOdds(options);
	if (odds <= bearableOdds) return undefined;
	const chance = odds < 0.1 ? `1 in ${Math.round(1 / odds)}` : `${Math.round(odds * 100)} %`;
	return `A day of guessing finds a code with odds of ${chance}. Raise Code Length or lower Max Invalid Attempts.`;
}
