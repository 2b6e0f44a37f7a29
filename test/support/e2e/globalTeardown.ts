type Close = () => Promise<void>;

const closers: Close[] = [];
const place = Symbol.for('e2e.closers');

/** jest loads its setup and its teardown apart from each other; `globalThis` is what they share. */
function sharedClosers(): Close[] {
	const shared = globalThis as { [place]?: Close[] };
	return (shared[place] ??= closers);
}

export function keepForTeardown(close: Close): void {
	sharedClosers().push(close);
}

export default async function closeSharedN8n(): Promise<void> {
	for (const close of sharedClosers().splice(0)) await close();
}
