/** How long what a retry has done is kept for the next one, and of how many. */
const keepMs = 10 * 60_000;
const mostKept = 20;

interface Retry {
	ended: Promise<void>;
	/** What the retry knows of its messages, alive while it runs. */
	page: unknown;
	endedAt?: number;
}

const retries = new Map<string, Retry>();

function forgetOld(now: number): void {
	for (const [key, { endedAt }] of retries) {
		const isOld = endedAt !== undefined && endedAt < now - keepMs;
		if (!isOld && retries.size <= mostKept) return;
		retries.delete(key);
	}
}

/**
 * Runs the retries of one execution one after the other. n8n lets a failed execution be retried while a retry of it
 * runs, and begins each from the memory of the first: the later one takes over what the one before has done.
 */
export async function afterOtherRetries<Page, T>(
	key: string,
	page: Page,
	work: (page: Page) => Promise<T>,
): Promise<T> {
	const earlier = retries.get(key);
	let end: () => void = () => undefined;
	const own: Retry = { ended: new Promise((resolve) => (end = resolve)), page };
	retries.delete(key);
	retries.set(key, own);
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
