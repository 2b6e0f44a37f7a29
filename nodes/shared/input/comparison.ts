import { plainNumber, toCompact } from './notation';
import { toRecipientKey } from './number';
import { comparableText, unescapeHtml } from './text';

interface Identified {
	messageId?: unknown;
	to?: unknown;
}

/** What a service masks, cuts or leaves out cannot be told from what was sent: it is never absent. */
export type Comparison = 'equal' | 'other' | 'cannot tell';

/** Whether a service hides a part of a recipient, as in `959*******`: it then identifies nobody. */
export function isMasked(recipient: unknown): boolean {
	return /[*•]/.test(String(recipient));
}

const fewestDigits = 7;

/** Numbers in different buckets differ. Those of which too little is shown are in ''. */
export function bucketOf(number: unknown): string {
	const text = toCompact(String(number ?? ''));
	return plainNumber.test(text) && text.length > fewestDigits ? text.slice(-fewestDigits) : '';
}

/** Whether what is shown, such as `959*******` or `4567`, can be these digits. */
function fitsShown(digits: string, shown: string): boolean {
	const [first, ...rest] = shown.split(/\D+/);
	if (rest.length === 0) return digits.endsWith(first);
	const starts = [first, first.replace(/^0/, '95'), `95${first}`];
	return starts.some((start) => digits.startsWith(start)) && digits.endsWith(rest.at(-1)!);
}

/** Compares phone numbers in any notation, each of which may be masked, cut or missing. */
export function compareNumbers(one: unknown, other: unknown): Comparison {
	const [a, b] = [one, other].map((number) => {
		const text = toCompact(String(number ?? '')).replace('+', '');
		return { text, digits: toRecipientKey(text), isWhole: bucketOf(text) !== '' };
	});
	if (a.isWhole && b.isWhole && a.digits === b.digits) return 'equal';
	return fitsShown(a.digits, b.text) || fitsShown(b.digits, a.text) ? 'cannot tell' : 'other';
}

/** A list may cut texts at this length or later; what is shorter is another text. */
const shortestCut = 20;
const plainTexts = new WeakMap<object, { text: unknown; plain: string }>();

/** The text of a message without what services change: blanks, line ends, the composition of letters, entities. */
export function plainTextOf(message: { message?: unknown }): string {
	const { message: text } = message;
	const known = plainTexts.get(message);
	if (known && known.text === text) return known.plain;
	const plain = comparableText(unescapeHtml(String(text ?? '')));
	plainTexts.set(message, { text, plain });
	return plain;
}

/** Compares the text of a message with one that a service shows. */
export function compareTexts(
	sent: { message?: unknown },
	shown: { message?: unknown },
): Comparison {
	const [own, listed] = [plainTextOf(sent), plainTextOf(shown)];
	if (own === listed) return 'equal';
	const [start] = listed.split(/ ?(?:…|\.{3})$/);
	const isCut = start === '' || start !== listed || start.length >= shortestCut;
	return isCut && own.startsWith(start) ? 'cannot tell' : 'other';
}

/** Services may show a sender ID trimmed, as a number, in another case, by its first 11 letters, or not at all. */
export function compareSenders(sent: string, shown: unknown): Comparison {
	const [own, listed] = [sent, String(shown ?? '')].map((text) => text.trim().toLowerCase());
	if (listed === '') return 'cannot tell';
	const isCut = listed.length === 11 && own.startsWith(listed);
	return own === listed || isCut ? 'equal' : 'other';
}

/** An ID by its letters and digits: services may list it in another case than they returned it, or without dashes. */
export function comparableId({ messageId }: Identified): string {
	const id = String(messageId ?? '').toLowerCase();
	return id.replace(/[^\p{L}\p{N}]/gu, '') || id;
}

/** Services may list a reference trimmed, as a number, or in another case. */
export function comparableReference(reference: unknown): string {
	return String(reference ?? '')
		.trim()
		.replace(/^0+(?=\d+$)/, '')
		.toLowerCase();
}

/** Whether both are one message. A recipient that is not shown whole doesn't tell them apart. */
export function isSameMessage(one: Identified, other: Identified): boolean {
	return comparableId(one) === comparableId(other) && compareNumbers(one.to, other.to) !== 'other';
}

/** Messages, each known by its ID and, where several share one, by its phone number. */
export class MessageSet {
	private readonly byId = new Map<string, Identified[]>();

	constructor(messages: Identified[] = []) {
		for (const message of messages) this.add(message);
	}

	add(message: Identified): void {
		const id = comparableId(message);
		const known = this.byId.get(id);
		if (known) known.push(message);
		else this.byId.set(id, [message]);
	}

	has(message: Identified): boolean {
		const known = this.byId.get(comparableId(message)) ?? [];
		return known.some((one) => isSameMessage(one, message));
	}
}

export function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		const key = keyOf(value);
		if (!groups.get(key)?.push(value)) groups.set(key, [value]);
	}
	return groups;
}
