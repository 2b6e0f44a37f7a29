import { InputError } from '../validation/InputError';

const mostNamed = 10;

/**
 * One failure for all items that are wrong, where nothing is sent as long as one of them is.
 * @param isSentBefore whether an earlier attempt has sent something
 */
export function refuseTogether(
	failures: Array<[item: number, error: unknown]>,
	items: number,
	isSentBefore: boolean,
): unknown {
	const [[, first]] = failures;
	// What the input is not to blame for, such as an expression that cannot be evaluated, is n8n's to tell.
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
