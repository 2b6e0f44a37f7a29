/** Shortens a text and appends its length; never splits a surrogate pair. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) return text;
	const beginning = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	return `${beginning.trimEnd()} ... (${text.length} characters in all)`;
}
