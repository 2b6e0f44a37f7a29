/** Opens at the first call, and gives the same to all later ones. A failure is then that of each item that needs it. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
	let opening: Promise<T> | undefined;
	return () => (opening ??= open());
}
