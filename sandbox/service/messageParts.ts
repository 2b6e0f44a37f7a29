/** GSM 03.38 default alphabet and its extension table; an extension character takes two septets. */
const basic =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';
const escaped = (characters: string): string => characters.replace(/[\\\]^-]/g, '\\$&');
const gsm7Text = new RegExp(`^[${escaped(basic + extension)}]*$`);
const extensionCharacter = new RegExp(`[${escaped(extension)}]`);

/** Units per part: septets for GSM-7, UTF-16 code units for UCS-2. */
const gsm7 = { single: 160, concatenated: 153 };
const ucs2 = { single: 70, concatenated: 67 };

export interface TextSize {
	encoding: 'GSM-7' | 'UCS-2';
	/** Number of parts sent and charged. */
	parts: number;
}

/** Does not split the text into an array: it may have a million characters. */
export function measureText(text: string, forceUnicode: boolean): TextSize {
	if (forceUnicode || !gsm7Text.test(text)) {
		return { encoding: 'UCS-2', parts: countParts(text, ucs2, endUcs2Part) };
	}
	const endPart = extensionCharacter.test(text) ? endGsm7Part : endPlainPart;
	return { encoding: 'GSM-7', parts: countParts(text, gsm7, endPart) };
}

/** Returns the end of the part that begins at `start`. */
type EndPart = (text: string, start: number, capacity: number) => number;

function countParts(text: string, capacity: typeof gsm7, endPart: EndPart): number {
	if (endPart(text, 0, capacity.single) >= text.length) return 1;
	let parts = 0;
	for (let start = 0; start < text.length; parts += 1) {
		start = endPart(text, start, capacity.concatenated);
	}
	return parts;
}

function endPlainPart(_text: string, start: number, capacity: number): number {
	return start + capacity;
}

/** Never splits an escape sequence across parts. */
function endGsm7Part(text: string, start: number, capacity: number): number {
	let end = start;
	for (let used = 0; end < text.length; end += 1) {
		used += extension.includes(text.charAt(end)) ? 2 : 1;
		if (used > capacity) break;
	}
	return end;
}

/** Never splits a surrogate pair across parts. */
function endUcs2Part(text: string, start: number, capacity: number): number {
	const end = start + capacity;
	const isPairSplit = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
	return isPairSplit ? end - 1 : end;
}
