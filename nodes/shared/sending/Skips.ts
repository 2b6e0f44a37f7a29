import { toRecipientKey } from '../validation/recipient';

/** Why a recipient is skipped. */
export type SkipReason = 'duplicate' | 'optedOut';

/** Values of the options that skip recipients. */
export interface SkipValues {
	skipDuplicates: boolean;
	/** As `toRecipientKey` returns the numbers. */
	doNotSendTo: ReadonlySet<string>;
}

/** A message to a recipient, and whether it was or may have been sent. */
export interface Candidate {
	to: string;
	isBegun: boolean;
}

/**
 * Why each message of a run is skipped; `undefined` for those that are not. Of several to one number, those that were
 * begun in an earlier attempt count, or the first.
 */
export function findSkipReasons(
	{ skipDuplicates, doNotSendTo }: SkipValues,
	messages: Candidate[],
): Array<SkipReason | undefined> {
	if (!skipDuplicates && doNotSendTo.size === 0) return [];
	const begun = messages.filter(({ isBegun }) => isBegun);
	const taken = new Set(begun.map(({ to }) => toRecipientKey(to)));
	return messages.map(({ to, isBegun }) => {
		const key = toRecipientKey(to);
		if (doNotSendTo.has(key)) return 'optedOut';
		if (!skipDuplicates || isBegun) return undefined;
		if (taken.has(key)) return 'duplicate';
		taken.add(key);
		return undefined;
	});
}
