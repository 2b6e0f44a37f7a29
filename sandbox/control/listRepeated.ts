/** Names that come more than once. */
export function listRepeated(parameters: URLSearchParams): string[] {
	const seen = new Set<string>();
	const repeated = new Set<string>();
	for (const name of parameters.keys()) (seen.has(name) ? repeated : seen).add(name);
	return [...repeated];
}
