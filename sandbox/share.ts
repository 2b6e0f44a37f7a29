/**
 * Lists that many messages have alike, such as their statuses, are kept once. A list that was given back
 * belongs to others too: it is never changed, only replaced.
 *
 * @param maxLists when there are more than this, all are forgotten and learnt anew
 */
export function createShare<T>(maxLists = 1000): (list: T[]) => T[] {
	const known = new Map<string, T[]>();
	return (list) => {
		const key = JSON.stringify(list);
		const same = known.get(key);
		if (same) return same;
		if (known.size >= maxLists) known.clear();
		known.set(key, list);
		return list;
	};
}
