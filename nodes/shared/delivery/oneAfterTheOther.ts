/** How long what a work has left is kept for the next one, and of how many. */
const keepMs = 10 * 60_000;
const mostKept = 20;

interface Work {
	ended: Promise<void>;
	/** What it knows of its messages, alive while it goes on. */
	page: unknown;
	/** Absent while it goes on. */
	endedAt?: number;
}

const works = new Map<string, Work>();

function forgetOld(now: number): void {
	const ended = [...works].filter(([, { endedAt }]) => endedAt !== undefined);
	ended.forEach(([key, { endedAt = now }], index) => {
		const isOfMany = index < ended.length - mostKept;
		if (isOfMany || endedAt < now - keepMs) works.delete(key);
	});
}

/**
 * Does the works of one name one after the other, in this process. Each takes over what the one before it has left.
 * n8n lets a failed execution be retried while a retry of it runs, and begins each from the memory of the first; an
 * agent calls its tool for several messages at once.
 * @param page what this work knows, used when it is the first
 */
export async function oneAfterTheOther<Page, T>(
	name: string,
	page: Page,
	work: (page: Page) => Promise<T>,
): Promise<T> {
	const earlier = works.get(name);
	let end: () => void = () => undefined;
	const own: Work = { ended: new Promise((resolve) => (end = resolve)), page };
	works.delete(name);
	works.set(name, own);
	try {
		await earlier?.ended;
		if (earlier) own.page = earlier.page;
		return await work(own.page as Page);
	} finally {
		own.endedAt = Date.now();
		end();
		forgetOld(own.endedAt);
	}
}
