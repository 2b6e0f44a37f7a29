/** Makes the calls, so many of them at the same time. */
export async function callAll<T>(
	count: number,
	atOnce: number,
	call: (n: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const caller = async () => {
		while (next < count) {
			const n = next;
			next += 1;
			results[n] = await call(n);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, caller));
	return results;
}
