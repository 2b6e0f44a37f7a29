/** GSM 03.38 default alphabet and its extension table; an extension character takes two septets. */
const basic = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
		'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('\f^{}\\[~]|€');

/** Units per part: septets for GSM-7, UTF-16 code units for UCS-2. */
const gsm7 = { single: 160, concatenated: 153 };
const ucs2 = { single: 70, concatenated: 67 };

export function findEncoding(text: string, forceUnicode: boolean): 'GSM-7' | 'UCS-2' {
	const isGsm7 = !forceUnicode && [...text].every((c) => basic.has(c) || extension.has(c));
	return isGsm7 ? 'GSM-7' : 'UCS-2';
}

/** Parts that a text is sent (and charged) as. */
export function countParts(text: string, forceUnicode: boolean): number {
	const characters = [...text];
	const isGsm7 = findEncoding(text, forceUnicode) === 'GSM-7';
	const widths = characters.map((c) => (isGsm7 ? (extension.has(c) ? 2 : 1) : c.length));
	const capacity = isGsm7 ? gsm7 : ucs2;
	const total = widths.reduce((sum, width) => sum + width, 0);
	return total <= capacity.single ? 1 : countFilledParts(widths, capacity.concatenated);
}

/** An escape sequence or a surrogate pair is never split over two parts. */
function countFilledParts(widths: number[], capacity: number): number {
	let parts = 1;
	let used = 0;
	for (const width of widths) {
		if (used + width > capacity) {
			parts += 1;
			used = 0;
		}
		used += width;
	}
	return parts;
}
