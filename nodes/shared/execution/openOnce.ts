/**
 * Opens something on the first call and gives the same to all later ones. What goes wrong then is the failure of
 * each item that needs it, and not of the node as a whole.
 */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
	let opening: Promise<T> | undefined;
	return () => (opening ??= open());
}
