import type { Limits } from '../shared/execution/countCode';
import type { OtpOptions } from './otpOptions';

/** Higher odds cause a warning. */
const bearableOdds = 1 / 1000;
/** Typical service defaults, for options that are not set. */
const usualLength = 6;
const usualAttempts = 5;

type Guessable = Pick<OtpOptions, 'pinLength' | 'maxInvalidAttempts'> &
	Pick<Limits, 'maxPerRecipient' | 'maxPerRecipientPerDay'>;

/** Max codes for one recipient in a day. Ignores the pause between codes, so this is an upper bound. */
function codesPerDay({ maxPerRecipient, maxPerRecipientPerDay }: Guessable): number {
	const byWindow = maxPerRecipient * 144 || Infinity;
	return Math.min(maxPerRecipientPerDay || Infinity, byWindow);
}

/** The odds, from 0 to 1, of guessing a code of one recipient within a day. */
export function guessingOdds(options: Guessable): number {
	const { pinLength = usualLength, maxInvalidAttempts = usualAttempts } = options;
	const perCode = Math.min(maxInvalidAttempts / 10 ** pinLength, 1);
	return 1 - (1 - perCode) ** codesPerDay(options);
}

/** A warning if codes are too easy to guess. */
export function describeGuessing(options: Guessable): string | undefined {
	const odds = guessingOdds(options);
	if (odds <= bearableOdds) return undefined;
	const chance = odds < 0.1 ? `1 in ${Math.round(1 / odds)}` : `${Math.round(odds * 100)} %`;
	return `Guessing for a day finds a code with odds of ${chance}. Raise Code Length or lower Max Invalid Attempts.`;
}
