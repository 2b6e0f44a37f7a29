/** What has more brackets than this may be too deep to be written again, which exhausts the stack. */
const fewBrackets = 2_000;

/** @throws Error when it is not JSON, or nested too deeply */
export function parseJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	if (text.length > fewBrackets && (text.match(/[[{]/g)?.length ?? 0) > fewBrackets) {
		JSON.stringify(value);
	}
	return value;
}

/** Parameters that come more than once. */
export function listRepeated(parameters: URLSearchParams): string[] {
	const names = [...parameters.keys()];
	return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
