/** Opens once and returns the same promise to every call, so a failure fails every item that needs it. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
	let opening: Promise<T> | undefined;
	return () => (opening ??= open());
}
