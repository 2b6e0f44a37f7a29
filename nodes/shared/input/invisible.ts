import { declareError } from './InputError';

/** Characters that nobody sees, or that change how others are seen. */
const hidden = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;
/** Joiners and selectors that text needs: within words of scripts without case, such as Burmese, and in emojis. */
const needed = String.raw`(?<=[\p{Lo}\p{M}])[\u200B-\u200D](?=\p{Lo})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)`;
/** More marks on one letter than any language has, which cover the lines around it. */
const stacked = String.raw`(?<=\p{M}{8})\p{M}`;

const deceptive = new RegExp(`(?!\n|\t|${needed})${hidden}|${stacked}`, 'gu');
const invisible = new RegExp(`(?![\n\r\t])${hidden}`, 'u');

const hasInvisible = declareError(
	'<Field> contains invisible characters: "<shown>"',
	'Write the recipient with visible characters only.',
);

export function toEscape(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** Shows characters that could make text look like other text as escapes such as `\u202e`. Line breaks and tabs stay. */
export function showDeceptive(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(deceptive, toEscape);
}

/** For a recipient that a person approved as displayed. @throws InputError */
export function requireVisible(value: unknown, field: string, label: string): void {
	const found = [value].flat().find((entry) => typeof entry === 'string' && invisible.test(entry));
	if (found === undefined) return;
	const shown = showDeceptive(String(found)).slice(0, 40);
	throw hasInvisible(field, { Field: label, shown });
}
