import { countParts } from './parts';

interface Kind {
	/** In words, since some look like another character or are invisible. */
	name: string;
	/** The replacement in the GSM alphabet. */
	by: string;
	characters: string;
}

/** Characters that word processors and phones substitute for typed ones. */
const kinds: Kind[] = [
	{ name: 'curly quote', by: "'", characters: '\u00B4\u2018\u2019\u201A\u201B\u2032\u2039\u203A' },
	{ name: 'curly quote', by: '"', characters: '\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB' },
	{ name: 'dash', by: '-', characters: '\u2010\u2011\u2012\u2013\u2014\u2015\u2212' },
	{ name: 'ellipsis', by: '...', characters: '\u2026' },
	{ name: 'no-break space', by: ' ', characters: '\u00A0\u2007\u202F' },
	{
		name: 'typographic space',
		by: ' ',
		characters: '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200A\u205F\u3000',
	},
	{ name: 'bullet', by: '-', characters: '\u2022\u2023\u2043' },
	{ name: 'tab', by: ' ', characters: '\t' },
	{ name: 'invisible character', by: '', characters: '\u00AD\u200B\u200C\u200D\u2060\uFEFF' },
];

const kindOf = new Map(
	kinds.flatMap((kind) => [...kind.characters].map((character) => [character, kind] as const)),
);

/** Composes letters, and replaces curly quotes, dashes, bullets, special spaces and ellipses, if this saves parts. */
export function replaceTypography(message: string): string {
	const replaced = Array.from(
		message.normalize('NFC'),
		(character) => kindOf.get(character)?.by ?? character,
	).join('');
	if (replaced === message) return message;
	const { encoding, parts } = countParts(replaced);
	// Text that stays Unicode keeps these characters.
	return encoding === 'GSM-7' && parts < countParts(message).parts ? replaced : message;
}

/** A character with its code and name, such as `’ (U+2019, curly quote)`; without the character if it is invisible. */
export function describeCharacter(character: string): string {
	const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	const { name, by = character } = kindOf.get(character) ?? {};
	const isSeen = by.trim() !== '' && !/[\p{C}\p{Z}\p{M}]/u.test(character);
	if (!isSeen) return `U+${code}${name === undefined ? '' : ` (${name})`}`;
	return `${character} (U+${code}${name === undefined ? '' : `, ${name}`})`;
}
