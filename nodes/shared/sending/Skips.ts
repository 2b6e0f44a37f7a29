/** Why a recipient gets nothing. */
export type SkipReason = 'duplicate' | 'optedOut';

/** Values of the options that skip recipients. */
export interface SkipValues {
	skipDuplicates: boolean;
	/** As `normalizePhoneNumber` returns the numbers. */
	doNotSendTo: ReadonlySet<string>;
}

/** Decides which recipients of a run get nothing, in the order of its items. */
export class Skips {
	/** The item that each number gets its message from. */
	private readonly owners = new Map<string, number>();

	/** @param begun what earlier attempts of the run have sent: another item must not take its place now */
	constructor(
		private readonly values: SkipValues,
		begun: Array<{ item: number; to: string }>,
	) {
		for (const { item, to } of begun) this.owners.set(to, item);
	}

	/** Why the numbers of an item get nothing; undefined for those that get their message. */
	take(numbers: string[], item: number): Array<SkipReason | undefined> {
		const { skipDuplicates, doNotSendTo } = this.values;
		const own = new Set<string>();
		return numbers.map((to) => {
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
