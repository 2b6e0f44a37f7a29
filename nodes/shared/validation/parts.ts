/** GSM 03.38 basic character set (3GPP TS 23.038, 6.2.1), without the escape character. */
const basicCharacters = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
		'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** GSM 03.38 extension table (6.2.1.1): each takes two septets, and both stay in one part. */
const extensionCharacters = new Set('\f^{}\\[~]|€');

/** Units of a part: septets for GSM-7, 16-bit units for UCS-2. A header takes room once it is split. */
const capacity = {
	'GSM-7': { whole: 160, split: 153 },
	'UCS-2': { whole: 70, split: 67 },
} as const;

export interface PartCount {
	encoding: 'GSM-7' | 'UCS-2';
	/** Septets for GSM-7, 16-bit units for UCS-2. */
	units: number;
	parts: number;
	/** How many units fit into each of these parts. */
	unitsPerPart: number;
}

/** Of the basic set, what most texts are made of. */
const commonCharacters = /^[\n\r !-Z_a-z]*$/;

function toSeptets(character: string): number | undefined {
	if (basicCharacters.has(character)) return 1;
	return extensionCharacters.has(character) ? 2 : undefined;
}

/** The units of each character, or undefined when one of them is not in the GSM alphabet. */
function toSeptetSizes(message: string): number[] | undefined {
	const sizes: number[] = [];
	for (const character of message) {
		const size = toSeptets(character);
		if (size === undefined) return undefined;
		sizes.push(size);
	}
	return sizes;
}

/** Fills part after part; a character of two units does not start in one and end in the next. */
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

/**
 * How many message parts a text takes, as networks count and charge them: GSM-7 while every
 * character is in its alphabet, else (or when `forceUnicode` is set) UCS-2 for the whole text.
 */
export function countParts(message: string, forceUnicode = false): PartCount {
	const { whole } = capacity['GSM-7'];
	if (!forceUnicode && message.length <= whole && commonCharacters.test(message))
		return { encoding: 'GSM-7', units: message.length, parts: 1, unitsPerPart: whole };
	const septetSizes = forceUnicode ? undefined : toSeptetSizes(message);
	if (septetSizes !== undefined) return countFrom(septetSizes, 'GSM-7');
	return countFrom(
		Array.from(message, (character) => character.length),
		'UCS-2',
	);
}

function countFrom(sizes: number[], encoding: PartCount['encoding']): PartCount {
	const units = sizes.reduce((sum, size) => sum + size, 0);
	const { whole, split } = capacity[encoding];
	if (units <= whole) return { encoding, units, parts: 1, unitsPerPart: whole };
	return { encoding, units, parts: countSplitParts(sizes, split), unitsPerPart: split };
}

/** A text that only a few characters keep from being charged as fewer parts. */
export interface UnicodeCost {
	/** Those that are not in the GSM alphabet. */
	characters: string[];
	/** How many parts it would be with a letter of that alphabet in place of each. */
	partsWithout: number;
}

/** More of them are no slip: the text is in another script. */
const mostSlips = 5;

/** What made a text Unicode, where that costs parts. */
export function findUnicodeCost(message: string): UnicodeCost | undefined {
	const characters = new Set<string>();
	const sizes: number[] = [];
	for (const character of message) {
		const size = toSeptets(character);
		if (size === undefined) characters.add(character);
		if (characters.size > mostSlips) return undefined;
		sizes.push(size ?? 1);
	}
	const partsWithout = countFrom(sizes, 'GSM-7').parts;
	const isCostly = characters.size > 0 && partsWithout < countParts(message).parts;
	return isCostly ? { characters: [...characters], partsWithout } : undefined;
}
