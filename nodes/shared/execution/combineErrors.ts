import { InputError } from '../validation/InputError';

const mostNamed = 10;

/** One error for all invalid items of a node that sends nothing while any item is invalid. */
export function combineErrors(
	failures: Array<[item: number, error: unknown]>,
	items: number,
): unknown {
	const [[, first]] = failures;
	// Not an input error, e.g. an expression that n8n cannot evaluate: show n8n's own error.
	if (!(first instanceof InputError) || items === 1) return first;
	if (failures.length === 1) {
		return new InputError(
			first.field,
			first.message,
			`${first.hint} To send the other items, set On Error to Continue in the node's settings.`,
			first.outcome,
		);
	}
	const named = failures
		.slice(0, mostNamed)
		.map(([item, error]) => `[item ${item}] ${(error as Error).message}.`);
	const more = failures.length - named.length;
	const list = more > 0 ? [...named, `And ${more} more.`] : named;
	return new InputError(
		first.field,
		`${failures.length} of ${items} items cannot be sent. The first: ${first.message}`,
		`Correct them, or set On Error to Continue to send the others:\n${list.join('\n')}`,
	);
}
