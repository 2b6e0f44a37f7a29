import { isRecord } from './json';
import { mask, unfold } from './secrets';

/** Every link to a waiting execution has n8n's path, unless the owner of that n8n renamed it, or a signature. */
const mark = /(?:webhook|form)-waiting\/|signature=/i;
/** In every mark, plain or escaped. Most texts have none of these, and need no search. */
const hint = /[=/%\\]/;

/** Whether a text shows a link that resumes an execution, also escaped, cut off or broken by spaces. */
export function holdsWaitingLink(text: string): boolean {
	if (!hint.test(text)) return false;
	for (const read of unfold(text)) {
		if (mark.test(read.replace(/[\s\p{Cf}]+/gu, ''))) return true;
	}
	return false;
}

/** A text until its first address, because nothing shows where a broken link ends; empty if that holds a link too. */
function findVisible(text: string): string {
	const visible = text.slice(0, Math.max(text.search(/https?/i), 0));
	return holdsWaitingLink(visible) ? '' : visible;
}

/**
 * Data for the output of a node: anyone who reads a waiting link can approve what an execution waits for. Links stay
 * in everything that is compared, so that messages are recognized.
 */
export function hideWaitingLinks<T>(data: T): T {
	const hide = (value: unknown): unknown => {
		if (typeof value === 'string')
			return holdsWaitingLink(value) ? findVisible(value) + mask : value;
		if (Array.isArray(value)) return value.map(hide);
		if (!isRecord(value)) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]));
	};
	return hide(data) as T;
}

/**
 * Whether any service finds a text by what is visible of it: a hidden link must not be guessed letter by letter. The
 * case counts, because a model can have all letters of a link in a visible text, in the other case.
 */
export function isFoundByVisible(text: unknown, sought: string): boolean {
	if (typeof text !== 'string' || !holdsWaitingLink(text)) return true;
	return findVisible(text).includes(sought);
}
