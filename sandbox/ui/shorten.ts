/** The beginning of a long text, and how long it is; no character of two units is cut in halves. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) return text;
	const beginning = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	return `${beginning.trimEnd()} ... (${text.length} characters in all)`;
}
