import { beginning } from '../clock';
import type { CodeAttempt, CodeBook, CodeOutput, CodeRequest } from './book';
import type { CodeWorld } from './world';

export const placeOf = ({ pairedItem }: CodeOutput) => (pairedItem as { item: number }).item;
export const nameOf = ({ run }: CodeAttempt, item: number) => `${run}, item ${item + 1}`;

/** What the clock of the machine shows then: saved executions know no other time. */
export function machineTime({ clock = [] }: CodeWorld, at: number): number {
	return at + (clock.filter(({ atMs }) => beginning + atMs <= at).at(-1)?.aheadMs ?? 0);
}

/** The attempts that know what happened to an item, up to this one. */
export function before(book: CodeBook, attempt: CodeAttempt): CodeAttempt[] {
	const all = book.attempts.filter(
		({ run, order }) => run === attempt.run && order <= attempt.order,
	);
	const begin = all.map(({ hasMemory }) => hasMemory).lastIndexOf(false);
	return all.slice(Math.max(0, begin));
}

export const requestsFor = (attempts: CodeAttempt[], item: number) =>
	attempts.flatMap(({ requests }) => requests).filter((one) => one.item === item);

/** Must Belong To names nobody: such an item is rejected before its check. */
export function isUnclear(attempt: CodeAttempt, item: number): boolean {
	const { expectedTo } = attempt.items[item].json;
	return expectedTo === undefined || expectedTo === '' || expectedTo === 'n/a';
}

/** A request without a clear response: the service may have acted on it. */
export function isLost({ got, says, endedAt }: CodeRequest): boolean {
	if (endedAt === undefined) return false;
	if (typeof got === 'string') return got !== 'ECONNREFUSED';
	return Number(got) >= 500 || got === 408 || (Number(got) < 300 && says === 'unclear');
}

/** A failure after which the service has certainly sent nothing, as docs/errors.md says. */
export function isUnsent({ got, says }: CodeRequest): boolean {
	if (got === 'ECONNREFUSED' || (says === 'no' && typeof got === 'number')) return true;
	return typeof got === 'number' && got >= 300 && got < 500 && got !== 408;
}

/** A complete response that the node could read. */
export function isRead({ says, got }: CodeRequest): boolean {
	return says === 'yes' && typeof got === 'number';
}

/** The item that an error is about, as it says itself. */
export function failedItem({ error }: CodeAttempt): number {
	return Number(/\(item (\d+)/.exec(error?.message ?? '')?.[1] ?? 1) - 1;
}
