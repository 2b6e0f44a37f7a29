import { MessageSet } from '../validation/messageKey';
import { comparableText } from '../validation/text';
import type { Saved } from './message';
import { Recent } from './Recent';
import { startClock, type Now } from './timing';

/** The memory of one run of the node. */
export interface Page {
	scope: string;
	/** Digest of the ID of the execution; absent in a retry without memory, whose page stands for all retries. */
	execution?: string;
	/** When the first attempt began, in milliseconds since 1970. */
	startedAt: number;
	entries: Record<string, Saved>;
	/** ID of the execution that has reported that history cannot be read. */
	blindIn?: string;
	/** The last one that has responded to a send about its messages: its history shows what other retries have sent. */
	account?: string;
}

/** Identifies the run in every attempt and retry. */
export function nameOf({ scope, execution }: Page): string {
	return execution === undefined ? scope : `${scope}-${execution}`;
}

/** How long the page of a retry or a tool call is kept for the next one. */
const keepPagesMs = 10 * 60_000;

export type WaitFor = (other: Promise<void>) => Promise<void>;

/** Work on one page at a time. */
interface Work {
	page: Page;
	/** With all work before it. */
	ended: Promise<void>;
}

/** Of the pages that this process works on: the attempts of a run go by one clock, even if the machine's is set. */
const clocks = new WeakMap<Page, Now>();

export function clockOf(page: Page): Now {
	const clock = clocks.get(page) ?? startClock();
	clocks.set(page, clock);
	return clock;
}

/** By scope, for 200,000 messages in all. */
const works = new Recent<Work>(200_000);

/**
 * Works on a page exclusively, and continues the page of earlier work on the same scope.
 * @param waitFor rejects once the execution is stopped
 * @param scope default that of the page
 */
export async function workAlone<T>(
	page: Page,
	work: (page: Page) => Promise<T>,
	waitFor: WaitFor,
	scope = nameOf(page),
): Promise<T> {
	const earlier = works.get(scope);
	let end: () => void = () => undefined;
	const own = new Promise<void>((resolve) => (end = resolve));
	const one: Work = { page: earlier?.page ?? page, ended: own.then(() => earlier?.ended) };
	works.set(scope, one);
	try {
		if (earlier) {
			await waitFor(earlier.ended);
			learn(one.page, page);
		}
		return await work(one.page);
	} finally {
		end();
		const size = Object.keys(one.page.entries).length;
		if (works.get(scope) === one) works.set(scope, one, { keepMs: keepPagesMs, size });
	}
}

const certainty: Record<Saved['state'], number> = { open: 0, inFlight: 1, inDoubt: 1, accepted: 2 };

/** The text as it was sent, or as history shows it. */
export function textOf({ sent, record }: Saved): string | undefined {
	return sent?.message ?? record?.message;
}

/** Adds what another process has saved to what this one knows: a retry there may have gone further. */
function learn(known: Page, saved: Page): void {
	const records = new MessageSet(
		Object.values(known.entries).flatMap(({ record }) => (record ? [record] : [])),
	);
	for (const [key, entry] of Object.entries(saved.entries)) {
		const own = known.entries[key] ?? { state: 'open' };
		const isAhead = certainty[entry.state] > certainty[own.state];
		const [ownText, text] = [textOf(own), textOf(entry)];
		const isOther = ownText !== undefined && comparableText(ownText) !== comparableText(text);
		const isThere = entry.record !== undefined && records.has(entry.record);
		if (isAhead && !isOther && !isThere) known.entries[key] = entry;
	}
}
