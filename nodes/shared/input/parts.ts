/** GSM 03.38 basic character set (3GPP TS 23.038, 6.2.1), without the escape character. */
const basicCharacters = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
		'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** GSM 03.38 extension table (6.2.1.1): each takes two septets, and both stay in one part. */
const extensionCharacters = new Set('\f^{}\\[~]|€');

/** Units per part: septets for GSM-7, 16-bit units for UCS-2. A header takes up space in split messages. */
const capacity = {
	'GSM-7': { whole: 160, split: 153 },
	'UCS-2': { whole: 70, split: 67 },
} as const;

export interface PartCount {
	encoding: 'GSM-7' | 'UCS-2';
	/** Septets for GSM-7, 16-bit units for UCS-2. */
	units: number;
	parts: number;
	/** Capacity of each part, in units. */
	unitsPerPart: number;
}

/** Fast path: the part of the basic set that most texts consist of. */
const commonCharacters = /^[\n\r !-Z_a-z]*$/;

/** Undefined for a character outside the GSM alphabet. */
function toSeptets(character: string): number | undefined {
	if (basicCharacters.has(character)) return 1;
	return extensionCharacters.has(character) ? 2 : undefined;
}

/** A character of two units is never split between parts. */
function countSplitParts(sizes: number[], unitsPerPart: number): number {
	let parts = 1;
	let used = 0;
	for (const size of sizes) {
		if (used + size > unitsPerPart) {
			parts += 1;
			used = 0;
		}
		used += size;
	}
	return parts;
}

/** As networks charge: GSM-7 if it contains all characters, otherwise UCS-2 for the whole text. */
export function countParts(message: string, forceUnicode = false): PartCount {
	const { whole } = capacity['GSM-7'];
	if (!forceUnicode && message.length <= whole && commonCharacters.test(message))
		return { encoding: 'GSM-7', units: message.length, parts: 1, unitsPerPart: whole };
	const characters = Array.from(message);
	const septets = characters.map(toSeptets);
	const isGsm = septets.every((size) => size !== undefined);
	if (isGsm && !forceUnicode) return countFrom(septets, 'GSM-7');
	const units = characters.map(({ length }) => length);
	return countFrom(units, 'UCS-2');
}

function countFrom(sizes: number[], encoding: PartCount['encoding']): PartCount {
	const units = sizes.reduce((sum, size) => sum + size, 0);
	const { whole, split } = capacity[encoding];
	if (units <= whole) return { encoding, units, parts: 1, unitsPerPart: whole };
	return { encoding, units, parts: countSplitParts(sizes, split), unitsPerPart: split };
}

/** Word and web pages put it between Burmese syllables: nobody sees it, and it takes the room of a letter. */
const zeroWidthSpace = '\u200B';

/** Without zero width spaces, if the text is Unicode also without them. */
export function withoutZeroWidthSpaces(message: string, forceUnicode = false): string {
	if (!message.includes(zeroWidthSpace)) return message;
	const without = message.replaceAll(zeroWidthSpace, '');
	return countParts(without, forceUnicode).encoding === 'UCS-2' ? without : message;
}

const letter =
	'[\\u1000-\\u102A\\u103F\\u104E\\u1050-\\u1055\\u105A-\\u105D\\u1061\\u1065\\u1066\\u106E-\\u1070\\u1075-\\u1081\\u108E]';
/** In Unicode, a virama is in front of a letter, medials and the vowel e are behind one, and no vowel follows an asat. */
const onlyZawgyi = new RegExp(
	[
		`\\u1039(?!${letter})`,
		`(?<!${letter}|[\\u1039\\u103B-\\u103E\\u105E-\\u1060\\u1082\\u200B-\\u200D])\\u1031`,
		`(?<!${letter}|[\\u1039\\u105E-\\u1060\\u1082])\\u103B`,
		'\\u103A(?=[\\u102B-\\u1030\\u1032\\u1036\\u103D])',
	].join('|'),
	'gu',
);
/** In Zawgyi, the vowel e is in front of a letter. */
const onlyUnicode = /\u1031(?![\u1000-\u102A]|\u103B|\u103F|\u104E|[\u1060-\u1097])/gu;

/** Whether a Burmese text is in Zawgyi, an old encoding with the same code points, which most phones show as nonsense. */
export function isZawgyi(text: string): boolean {
	const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
	return /\p{Script=Myanmar}/u.test(text) && count(onlyZawgyi) > count(onlyUnicode);
}
