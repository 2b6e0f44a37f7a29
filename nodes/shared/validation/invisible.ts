import { declareError } from './InputError';

/**
 * Characters that make text look like other text: control characters, line separators, and characters that are
 * invisible, blank or change the direction. Burmese text and emojis need U+200B to U+200D and variation selectors.
 */
const deceptive =
	/(?![\u200B-\u200D]|\p{Variation_Selector})[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allDeceptive = new RegExp(deceptive.source, 'gu');

const invisible = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const hasInvisible = declareError(
	'<Field> contains invisible characters: "<shown>"',
	'Write the recipient with visible characters only.',
);

export function isDeceptive(text: string): boolean {
	return deceptive.test(text);
}

export function toEscape(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** Shows deceptive characters as escapes such as `\u202e`. Line breaks and tabs stay. */
export function showDeceptive(text: string): string {
	return text
		.replaceAll('\r\n', '\n')
		.replace(allDeceptive, (character) =>
			/[\n\t]/.test(character) ? character : toEscape(character),
		);
}

/** For a recipient that a person approved as displayed. @throws InputError */
export function requireVisible(value: unknown, field: string, label: string): void {
	const hidden = [value].flat().find((entry) => typeof entry === 'string' && invisible.test(entry));
	if (hidden === undefined) return;
	const shown = showDeceptive(String(hidden)).slice(0, 40);
	throw hasInvisible(field, { Field: label, shown });
}
