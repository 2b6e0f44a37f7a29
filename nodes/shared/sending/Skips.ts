import { toRecipientKey } from '../validation/recipient';

/** Why a recipient is skipped. */
export type SkipReason = 'duplicate' | 'optedOut';

/** Values of the options that skip recipients. */
export interface SkipValues {
	skipDuplicates: boolean;
	/** As `toRecipientKey` returns the numbers. */
	doNotSendTo: ReadonlySet<string>;
}

/** Decides which recipients of a run are skipped, in the order of its items. */
export class Skips {
	/** The item that sends to each phone number. */
	private readonly owners = new Map<string, number>();

	/** @param begun messages that were or may have been sent: no other item may send to these numbers instead */
	constructor(
		private readonly values: SkipValues,
		begun: Array<{ item: number; to: string }>,
	) {
		for (const { item, to } of begun) this.owners.set(toRecipientKey(to), item);
	}

	/** Why each phone number of an item is skipped; `undefined` for those that are not. */
	findReasons(numbers: string[], item: number): Array<SkipReason | undefined> {
		const { skipDuplicates, doNotSendTo } = this.values;
		const own = new Set<string>();
		return numbers.map(toRecipientKey).map((to) => {
			if (doNotSendTo.has(to)) return 'optedOut';
			if (!skipDuplicates) return undefined;
			const owner = this.owners.get(to) ?? item;
			if (owner !== item || own.has(to)) return 'duplicate';
			own.add(to);
			this.owners.set(to, item);
			return undefined;
		});
	}
}
