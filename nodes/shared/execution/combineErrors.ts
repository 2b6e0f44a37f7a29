import type { IExecuteFunctions } from 'n8n-workflow';

import { declareError, InputError } from '../validation/InputError';
import { placeOf, type Place } from './place';

const mostNamed = 10;

const severalWrong = declareError(
	'<failed> of <items> items cannot be sent. The first: <first>',
	'Correct them, or set Settings > On Error to Continue to send the others:\n<list>',
);

const nameItem = ({ itemIndex, row }: Place) =>
	`Item ${itemIndex + 1}${row === undefined ? '' : `, row ${row}`}`;

/** One error for all invalid items of a node that sends nothing while any item is invalid. */
export function combineErrors(
	failures: Array<[item: number, error: unknown]>,
	context: Pick<IExecuteFunctions, 'getInputData'>,
): unknown {
	const [[, first]] = failures;
	const items = context.getInputData().length;
	// Not an input error, e.g. an expression that n8n cannot evaluate: show n8n's own error.
	if (!(first instanceof InputError) || items === 1) return first;
	if (failures.length === 1) {
		return new InputError(
			first.field,
			first.message,
			`${first.hint} To send the other items, set Settings > On Error to Continue.`,
			first.outcome,
		);
	}
	const named = failures
		.slice(0, mostNamed)
		.map(([item, error]) => `${nameItem(placeOf(context, item))}: ${(error as Error).message}.`);
	const more = failures.length - named.length;
	const list = more > 0 ? [...named, `And ${more} more.`] : named;
	return severalWrong(first.field, {
		failed: failures.length,
		items,
		first: first.message,
		list: list.join('\n'),
	});
}
