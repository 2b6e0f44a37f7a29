/** JSON with more brackets may be nested too deeply to serialize again, which overflows the stack. */
const fewBrackets = 2_000;

/** @throws Error when the text is not JSON, or nested too deeply */
export function parseJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	if (text.length > fewBrackets && (text.match(/[[{]/g)?.length ?? 0) > fewBrackets) {
		JSON.stringify(value);
	}
	return value;
}

/** Names of repeated parameters. */
export function listRepeated(parameters: URLSearchParams): string[] {
	const names = [...parameters.keys()];
	return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
