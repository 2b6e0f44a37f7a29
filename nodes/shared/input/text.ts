import { describeValue, EmptyError, refuse, toLabel } from './InputError';

const loneSurrogate = /\p{Cs}/u;
const controlCharacter = /\p{Cc}/u;
const onlyInvisible = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether nobody would see anything. */
export function isBlank(text: string): boolean {
	return onlyInvisible.test(text);
}

/** Field note 8. */
const longestReference = 50;
const longestBrand = 40;

/** An expression in a field that is not switched to Expression would be sent unevaluated. @throws InputError */
export function rejectExpression(text: string, field: string, label = toLabel(field)): void {
	// Not a regular expression: it would take quadratic time for a text of braces.
	const start = text.indexOf('{{');
	if (start < 0 || !text.includes('}}', start + 2)) return;
	const what = 'has an expression in {{ }} that was not evaluated';
	const hint =
		"Switch the field to Expression. If it's already an expression, its result still contains {{ }}. Resolve that in an earlier node.";
	refuse(field, what, hint, undefined, label);
}

/** As people see it: without invisible characters and extra spaces. */
export function visibleText(text: string): string {
	const visible = text.replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '');
	return visible.replace(/\s+/g, ' ').trim();
}

/** Text for comparison: services may change line ends, spaces and the composition of letters. */
export function comparableText(text: unknown): string {
	return String(text ?? '')
		.toWellFormed()
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

/**
 * Converts numbers to text; does not trim.
 * @param maxLength in UTF-16 units, which is never less than the number of characters
 * @throws InputError for empty, invisible or too long text, other types, lone surrogates and `{{ ... }}`
 */
export function requireWords(
	value: unknown,
	field: string,
	maxLength = Infinity,
	label = toLabel(field),
): string {
	const reject = (what: string, hint: string, quoted?: string) =>
		refuse(field, what, hint, quoted, label);
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	const text = isNumber ? String(value) : value;
	const hint = `Fill in ${label} with text, or with an expression that results in text.`;
	if (isEmpty(text)) throw new EmptyError(field, label, hint);
	if (typeof text !== 'string') return reject(`must be text, but is ${describeValue(value)}`, hint);
	if (loneSurrogate.test(text))
		reject(
			'contains half a character, such as a cut emoji',
			'Shorten it without cutting an emoji.',
		);
	rejectExpression(text, field, label);
	const { length } = text;
	if (length <= maxLength) return text;
	const what = `has ${length} characters (max. ${maxLength})`;
	return reject(what, `Shorten ${label} to ${maxLength} characters.`, text);
}

/** What JavaScript and luxon write for an object and for a date that does not exist. */
const lostWord = /\[object [A-Z]\w*\]|\bInvalid Date(?:Time)?\b/;

/** Text that people read: as `requireWords`, and without `[object Object]`, `Invalid DateTime` and `[hidden]`. @throws InputError */
export function requireText(...given: Parameters<typeof requireWords>): string {
	const text = requireWords(...given);
	const [, field, , label] = given;
	if (text.includes('[hidden]')) {
		const what = 'contains [hidden], which stands for a link with a signature';
		const hint =
			'Use the text from before: nodes of this package hide such links in their outputs.';
		refuse(field, what, hint, undefined, label);
	}
	const [word] = lostWord.exec(text) ?? [];
	if (word === undefined) return text;
	const hint = 'Use a field of the object, such as {{ $json.customer.name }}, or a valid date.';
	return refuse(field, `contains ${word}, which is not text for people`, hint, undefined, label);
}

function requireOneLine(text: string, field: string): string {
	if (!controlCharacter.test(text)) return text;
	const what = 'contains a line break or another control character';
	return refuse(field, what, `Write ${toLabel(field)} in one line.`, text);
}

/** Trimmed, in one line. @throws InputError also for nothing in both the field and the credential */
function requireDefault(value: unknown, field: string, maxLength?: number): string {
	const label = toLabel(field);
	if (isEmpty(value))
		throw new EmptyError(field, label, `Enter ${label} here or in the credential.`);
	return requireOneLine(requireText(value, field, maxLength).trim(), field);
}

/** Keeps upper and lower case, since sender IDs are case-sensitive. The service decides about their length. @throws InputError */
export const requireSenderId = (value: unknown) => requireDefault(value, 'from');

/** At most 40 characters: a longer one makes each code cost more parts. @throws InputError */
export const requireBrand = (value: unknown) => requireDefault(value, 'brand', longestBrand);

/** Not changed, so that it matches history and receipts. @throws InputError also for a number that two references can become */
export function readReference(value: unknown): string {
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		const what = 'is a number with too many digits, of which the last are lost';
		refuse('clientReference', what, 'Pass Client Reference on as text.', value);
	}
	return requireOneLine(requireText(value, 'clientReference', longestReference), 'clientReference');
}

/** Without `{code}`, the message would not contain the code. @throws InputError */
export function requireTemplate(value: unknown): string {
	// The service also replaces {code} inside {{code}}: the outer braces would reach the recipient.
	const [placeholder] = /\{\{\s*(code|brand)\s*\}\}/i.exec(String(value)) ?? [];
	if (placeholder !== undefined) {
		const what = `contains ${placeholder}; the service replaces only {code} and {brand}`;
		const hint =
			'Use single braces for these two. For your own values, such as {{ $json.shop }}, switch the field to Expression.';
		refuse('template', what, hint);
	}
	const template = requireText(value, 'template');
	if (template.includes('{code}')) return template;
	const hint = 'Put {code} where the code should appear, for example: {code} is your {brand} code.';
	return refuse('template', 'does not contain {code}', hint, template);
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
export function requireWebUrl(value: unknown, field: string): string {
	const url = requireText(value, field).trim();
	const hint = `Use a full URL for ${toLabel(field)}, such as https://example.com/receipts.`;
	if (!isWebAddress(url)) return refuse(field, 'is not a URL', hint, url);
	if (!holdsUser(url)) return url;
	return refuse(field, 'contains a user name or password', 'Remove the part before the @.');
}

/** Chats, not mailboxes: WhatsApp exports numbers as 959…@s.whatsapp.net. */
const chatDomain = /@(?:[^@]*\.)?(?:whatsapp\.net|[cg]\.us)$/i;
const email =
	/^(?=.{1,254}$)(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

/** An ASCII email address, trimmed, with the domain in lower case. `undefined` for anything else. */
export function normalizeEmail(text: string): string | undefined {
	const address = text.trim();
	if (!email.test(address) || chatDomain.test(address)) return undefined;
	const at = address.indexOf('@');
	return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Characters that nobody sees, or that change how others are seen; not line breaks and tabs. */
const deceptive = /(?!\n|\t)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function toEscape(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** Shows characters that could make a name look like another one as escapes such as `\u202e`. */
export function showDeceptive(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(deceptive, toEscape);
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}

/** Numeric entities, and those that XML names. */
export function unescapeHtml(text: string): string {
	return text.replace(
		/&(?:#x([\da-f]{1,5})|#(\d{1,6})|(amp|lt|gt|quot|apos));/gi,
		(_, hex?: string, decimal?: string, name = '') => {
			if (name) return characters[name.toLowerCase()];
			return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
		},
	);
}
