import { describeValue, EmptyError, InputError } from './InputError';

const loneSurrogate = /\p{Cs}/u;
const controlCharacter = /\p{Cc}/u;
const onlyInvisible =
	/^[\s\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]*$/;

/** Field note 8. */
const longestReference = 50;

/** An expression in a field that is not switched to Expression would be sent unevaluated. @throws InputError */
export function rejectExpression(text: string, field: string, label: string): void {
	// Not a regular expression: it would take quadratic time for a text of braces.
	const start = text.indexOf('{{');
	if (start < 0 || !text.includes('}}', start + 2)) return;
	throw new InputError(
		field,
		`${label} has an expression in {{ }} that was not evaluated`,
		"Switch the field to Expression. If it's already an expression, its result still contains {{ }}. Resolve that in an earlier node.",
	);
}

/** Text for comparison: services may change line ends, spaces and the composition of letters. */
export function comparableText(text: unknown): string {
	return String(text ?? '')
		.toWellFormed()
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();
}

/**
 * Converts numbers to text; does not trim.
 * @param maxLength in UTF-16 units, which is never less than the number of characters
 * @throws InputError for empty, invisible or too long text, other types, lone surrogates and `{{ ... }}`
 */
export function requireText(
	value: unknown,
	field: string,
	label: string,
	maxLength = Infinity,
): string {
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	const text = isNumber ? String(value) : value;
	const hint = `Fill in ${label} with text, or with an expression that results in text.`;
	if (text === undefined || text === null || (typeof text === 'string' && onlyInvisible.test(text)))
		throw new EmptyError(field, label, hint);
	if (typeof text !== 'string')
		throw new InputError(field, `${label} must be text, but is ${describeValue(value)}`, hint);
	if (loneSurrogate.test(text))
		throw new InputError(
			field,
			`${label} contains half a character, such as a cut emoji`,
			'Shorten the text without cutting an emoji.',
		);
	rejectExpression(text, field, label);
	if (text.length > maxLength)
		throw new InputError(
			field,
			`${label} has ${text.length} characters (max. ${maxLength}): ${describeValue(text)}`,
			`Shorten ${label} to ${maxLength} characters.`,
		);
	return text;
}

function rejectControlCharacters(text: string, field: string, label: string): void {
	if (!controlCharacter.test(text)) return;
	throw new InputError(
		field,
		`${label} contains a line break or another control character: ${describeValue(text)}`,
		`Write ${label} in one line.`,
	);
}

/** Trimmed; keeps upper and lower case, since sender IDs are case-sensitive. The service decides about their length. @throws InputError */
export function requireSenderId(value: unknown): string {
	const label = 'Sender ID';
	const senderId = requireText(value, 'from', label).trim();
	rejectControlCharacters(senderId, 'from', label);
	return senderId;
}

/** Not changed, so that it matches history and receipts. @throws InputError */
export function readReference(value: unknown): string {
	const label = 'Client Reference';
	const reference = requireText(value, 'clientReference', label, longestReference);
	rejectControlCharacters(reference, 'clientReference', label);
	return reference;
}

/** The service also replaces {code} inside {{code}}: the outer braces would reach the recipient. */
function rejectDoubledBraces(value: unknown): void {
	const [placeholder] = /\{\{\s*(code|brand)\s*\}\}/i.exec(String(value)) ?? [];
	if (placeholder === undefined) return;
	throw new InputError(
		'template',
		`Template contains ${placeholder}; the service replaces only {code} and {brand}`,
		'Use single braces for these two. For your own values, such as {{ $json.shop }}, switch the field to Expression.',
	);
}

/** Without `{code}`, the message would not contain the code. @throws InputError */
export function requireTemplate(value: unknown): string {
	rejectDoubledBraces(value);
	const template = requireText(value, 'template', 'Template');
	if (template.includes('{code}')) return template;
	throw new InputError(
		'template',
		`Template does not contain {code}: ${describeValue(template)}`,
		'Put {code} where the code should appear, for example: {code} is your {brand} code.',
	);
}

/** Whether this is an absolute http or https address without spaces, backslashes and invisible characters. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\/[^\s\\/?#\p{C}][^\s\\\p{C}]*$/iu.test(text) && URL.canParse(text);
}

/** Whether the address contains a user name or password. */
export function holdsUser(address: string): boolean {
	return /^[a-z]+:\/\/[^/?#]*@/i.test(address);
}

/** An absolute http or https address, trimmed, without a user name or password. @throws InputError */
export function requireWebUrl(value: unknown, field: string, label: string): string {
	const url = requireText(value, field, label).trim();
	const hint = `Use a full web address for ${label}, such as https://example.com/receipts.`;
	if (!isWebAddress(url))
		throw new InputError(field, `${label} is not a web address: ${describeValue(url)}`, hint);
	if (!holdsUser(url)) return url;
	throw new InputError(
		field,
		`${label} contains a user name or password`,
		'Remove the part before the @.',
	);
}
