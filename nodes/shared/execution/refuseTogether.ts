import { InputError } from '../validation/InputError';

const mostNamed = 10;

/**
 * One error for all invalid items of a node that sends nothing while any item is invalid.
 * @param isSentBefore whether an earlier attempt sent something
 */
export function refuseTogether(
	failures: Array<[item: number, error: unknown]>,
	items: number,
	isSentBefore: boolean,
): unknown {
	const [[, first]] = failures;
	// Not an input error, e.g. an expression that n8n cannot evaluate: show n8n's own error.
	if (!(first instanceof InputError)) return first;
	const nothing = `Nothing was sent${isSentBefore ? ' in this attempt' : ''}.`;
	if (failures.length === 1) {
		return new InputError(first.field, first.message, `${nothing} ${first.hint}`);
	}
	const named = failures
		.slice(0, mostNamed)
		.map(([item, error]) => `[item ${item}] ${(error as Error).message}.`);
	const more = failures.length - named.length;
	return new InputError(
		first.field,
		`${failures.length} of ${items} items cannot be sent. The first: ${first.message}`,
		[
			...[nothing, ...named],
			...(more > 0 ? [`And ${more} more.`] : []),
			'Correct them, or set On Error to Continue to send the others.',
		].join('\n'),
	);
}
