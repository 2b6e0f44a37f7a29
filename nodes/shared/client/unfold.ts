/** A text with one more level of its escapes read, and where in the original text each of its signs stands. */
export interface Reading {
	signs: string;
	startOf(index: number): number;
	endOf(index: number): number;
}

/** An escaped address in a JSON text inside of JSON has four levels. */
const mostLevels = 6;

/** Percent encoding of UTF-8, else of single bytes; escapes of JSON and JavaScript; references of HTML. */
const escape =
	/%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%[89a-f][\da-f]|\\u[\da-f]{4}|\\x[\da-f]{2}|\\["\\/'bfnrt]|&#\d{1,7};|&#x[\da-f]{1,6};|&(?:amp|apos|colon|equals|gt|lowbar|lt|plus|quot|sol);/gi;

const named: Record<string, string> = {
	...{ '&amp;': '&', '&apos;': "'", '&colon;': ':', '&equals;': '=', '&gt;': '>' },
	...{ '&lowbar;': '_', '&lt;': '<', '&plus;': '+', '&quot;': '"', '&sol;': '/' },
	...{ '\\b': '\b', '\\f': '\f', '\\n': '\n', '\\r': '\r', '\\t': '\t' },
};
const lastCodePoint = 0x10ffff;

function readEscape(code: string): string {
	if (code.startsWith('%')) {
		const bytes = Buffer.from(code.replaceAll('%', ''), 'hex');
		return bytes.toString(bytes.length === 1 ? 'latin1' : 'utf8');
	}
	const [, hex, decimal] = /^(?:\\[ux]|&#x)([\da-f]+)|^&#(\d+)/i.exec(code) ?? [];
	const point = hex ? parseInt(hex, 16) : Number(decimal);
	if (Number.isFinite(point)) return String.fromCodePoint(Math.min(point, lastCodePoint));
	return named[code.toLowerCase()] ?? code.slice(1);
}

function readOneLevel({ signs, startOf, endOf }: Reading): Reading | undefined {
	let read = '';
	let place = 0;
	const starts: number[] = [];
	const ends: number[] = [];
	const keep = (until: number) => {
		read += signs.slice(place, until);
		for (; place < until; place += 1) {
			starts.push(startOf(place));
			ends.push(endOf(place));
		}
	};
	for (const { 0: code, index } of signs.matchAll(escape)) {
		keep(index);
		const meant = readEscape(code);
		read += meant;
		place = index + code.length;
		for (let unit = 0; unit < meant.length; unit += 1) {
			starts.push(startOf(index));
			ends.push(endOf(place - 1));
		}
	}
	if (place === 0) return undefined;
	keep(signs.length);
	return { signs: read, startOf: (index) => starts[index], endOf: (index) => ends[index] };
}

/** A text as it is, and as it reads once its escapes are undone, level by level. */
export function* unfold(text: string): Generator<Reading> {
	let reading: Reading | undefined = {
		signs: text,
		startOf: (index) => index,
		endOf: (index) => index + 1,
	};
	for (let level = 0; reading && level < mostLevels; level += 1) {
		yield reading;
		reading = /[%\\&]/.test(reading.signs) ? readOneLevel(reading) : undefined;
	}
}
