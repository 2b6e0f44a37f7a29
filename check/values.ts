/** `YYYY-MM-DD HH:MM:SS` in GMT+6:30, the assumed time zone of the service. */
export const formatTime = (ms: number): string =>
	new Date(ms + 390 * 60_000).toISOString().slice(0, 19).replace('T', ' ');

/** Minutes that a written time is ahead of a moment, read in GMT+6:30 unless it says its zone; NaN if it is none. */
export function ahead(written: unknown, at: number): number {
	const text = String(written).replace(' ', 'T');
	const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const iso = text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return (Date.parse(hasZone ? iso : `${text}+06:30`) - at) / 60_000;
}

/** How a time is written: each digit as 9. */
export const showTime = (value: unknown): string =>
	String(value)
		.slice(0, 40)
		.replace(/\d/g, '9')
		.replace(/[^9TZ:+. -]/g, '?');

/** How a number is written, without the numbers of others. @param own in digits */
export function showNumber(value: unknown, own: string): string {
	if (value === undefined) return 'missing';
	const [text, subscriber] = [String(value), own.replace(/^959/, '')];
	if (text.includes('*')) return 'masked';
	return text.endsWith(subscriber)
		? `${text.slice(0, -subscriber.length).slice(0, 5)}NUMBER`
		: 'another number';
}

/** How a text differs, without the text. */
export function compareTexts(sent: string, found: string): string {
	if (found === sent) return 'the same';
	if (sent.startsWith(found)) return `cut to ${found.length} of ${sent.length} characters`;
	if (/&\w+;/.test(found)) return 'escaped';
	const [one, other] = [sent, found].map((text) => text.replace(/\s+/g, ' ').trim());
	return one === other ? 'with other spaces' : `another text of ${found.length} characters`;
}
