import type { IDataObject } from 'n8n-workflow';
import type { StoredMessage } from '../../sandbox';

/** What was wanted, compared with what the service has and what the node said of it. */
export interface Account {
	wanted: number;
	/** Wanted messages that the service has exactly once. */
	once: number;
	/** Messages that the service has although nobody wanted them (any more). */
	extra: number;
	/** Wanted messages that the service does not have. */
	missing: number;
	/** Messages that the service has and the output neither holds nor reports as unknown. */
	unreported: number;
	/** Error items with the words "Outcome unknown". */
	unknown: number;
}

export function wantedMessages(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: `95977${String(1_000_000 + index)}`,
		message: `Message ${index}`,
		reference: `chaos-${index}`,
	}));
}

function countByNumber(messages: StoredMessage[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { to } of messages) counts.set(to, (counts.get(to) ?? 0) + 1);
	return counts;
}

/** @param output all items of all outputs of the node */
export function accountFor(
	wanted: IDataObject[],
	stored: StoredMessage[],
	output: IDataObject[],
): Account {
	const counts = countByNumber(stored);
	const times = wanted.map(({ to }) => counts.get(String(to)) ?? 0);
	const isUnknown = ({ error }: IDataObject) => String(error).includes('Outcome unknown');
	const unknown = output.filter(isUnknown).map(({ details }) => (details as IDataObject).to);
	const told = new Set([...output.map(({ messageId }) => messageId), ...unknown]);
	const untold = stored.filter(({ messageId, to }) => !told.has(messageId) && !told.has(to));
	return {
		wanted: wanted.length,
		once: times.filter((number) => number === 1).length,
		extra: stored.length - times.filter((number) => number > 0).length,
		missing: times.filter((number) => number === 0).length,
		unreported: untold.length,
		unknown: unknown.length,
	};
}

export function isExactlyOnce({ extra, missing, unreported }: Account): boolean {
	return extra === 0 && missing === 0 && unreported === 0;
}
