import type { IDataObject } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import type { ItemReport } from '../execution/runPerItem';
import { digitsOf } from '../validation/recipient';

export type SkipReason = 'duplicate' | 'optedOut';

export interface SkipSettings {
	/** Option Skip Duplicates. */
	isSkippingDuplicates: boolean;
	/** Option Do Not Send To, as `normalizePhoneNumber` gives the numbers. */
	optedOut: ReadonlySet<string>;
}

/** Decides which recipients of a run get nothing, in the order of its items. */
export class Skips {
	/** The item that each number gets its message from. */
	private readonly owners = new Map<string, number>();

	/** @param begun what earlier tries of the run have sent: another item must not take its place now */
	constructor(
		private readonly settings: SkipSettings,
		begun: Array<{ item: number; to: string }> = [],
	) {
		for (const { item, to } of begun) this.owners.set(to, item);
	}

	/** Why the numbers of an item get nothing; undefined for those that get their message. */
	take(numbers: string[], item: number): Array<SkipReason | undefined> {
		const own = new Set<string>();
		return numbers.map((to) => {
			if (this.settings.optedOut.has(to)) return 'optedOut';
			if (!this.settings.isSkippingDuplicates) return undefined;
			const owner = this.owners.get(to) ?? item;
			if (owner !== item || own.has(to)) return 'duplicate';
			own.add(to);
			this.owners.set(to, item);
			return undefined;
		});
	}

	/** What is left of the recipients of a run, in any spelling, when those that would be skipped are left out. */
	leaveOut(recipients: string[]): string[] {
		const { optedOut, isSkippingDuplicates } = this.settings;
		const isKept = (digits: string) => !optedOut.has(digits) && !optedOut.has(`+${digits}`);
		const digits = recipients.map(digitsOf).filter(isKept);
		return isSkippingDuplicates ? [...new Set(digits)] : digits;
	}
}

interface Shaping {
	/** The form in which a record is given out. */
	shape(record: IDataObject): IDataObject;
}

/**
 * Delivers the messages of an item that are not skipped, and reports all of them in their order.
 * @param reasons undefined when the run skips nobody
 */
export async function deliverKept<T extends { to: string }>(
	messages: T[],
	reasons: Array<SkipReason | undefined> | undefined,
	deliver: (kept: T[]) => Array<Promise<MessageRecord>>,
	{ add, fail, shape }: Pick<ItemReport, 'add' | 'fail'> & Shaping,
): Promise<void> {
	const kept = reasons ? messages.filter((_, index) => !reasons[index]) : messages;
	const outcomes = (await Promise.allSettled(deliver(kept))).values();
	for (const [index, { to }] of messages.entries()) {
		const skipped = reasons?.[index];
		const outcome = skipped ? undefined : outcomes.next().value;
		if (skipped) add({ to, skipped });
		else if (outcome?.status === 'rejected') fail(outcome.reason);
		else add(shape(outcome?.value as IDataObject));
	}
}
