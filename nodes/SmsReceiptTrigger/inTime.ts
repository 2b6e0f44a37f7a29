import { sleep } from 'n8n-workflow';

/** The longest sleep, so that none goes on long after what it waited for. */
const napMs = 250;

/** What a promise gives, or nothing when that takes longer than so many milliseconds. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
	const end = Date.now() + ms;
	const given = promise.then((value) => ({ value }));
	for (let left = ms; left > 0; left = end - Date.now()) {
		const nap = sleep(Math.min(left, napMs)).then(() => undefined);
		const result = await Promise.race([given, nap]);
		if (result) return result.value;
	}
	return undefined;
}
