export interface OpenOnce<T> {
	(): Promise<T>;
	/** What was opened, as soon as it is. */
	opened?: T;
}

/**
 * Opens something on the first call and gives the same to all later ones. What goes wrong then is the failure of
 * each item that needs it, and not of the node as a whole.
 */
export function openOnce<T>(open: () => Promise<T>): OpenOnce<T> {
	let opening: Promise<T> | undefined;
	const openIt: OpenOnce<T> = () => (opening ??= open().then((opened) => (openIt.opened = opened)));
	return openIt;
}

/** Goes on with what is opened, and does nothing where that fails. */
export async function ifItOpens<T>(
	open: () => Promise<T>,
	goOn: (opened: T) => Promise<void> | void,
): Promise<void> {
	await open().then(goOn, () => undefined);
}
