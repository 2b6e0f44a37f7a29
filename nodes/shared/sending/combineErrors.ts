import { groupBy } from '../delivery/message';
import { isOfWholeRun, type Items, placeOf, withPlace } from '../n8n/errors';
import { InputError } from '../input/InputError';
import type { Fault } from './plan';

const mostFaults = 10;
const mostNamed = 3;

/** Such as `row 9: "097"`. */
function nameItem(context: Items, { item, error }: Fault, fault: string): string {
	const { message } = error as Error;
	const { row } = placeOf(context, item);
	const place = row === undefined ? `item ${item + 1}` : `row ${row}`;
	return message.startsWith(`${fault}: `) ? place + message.slice(fault.length) : place;
}

/** What errors about the same fault have in common. */
function faultOf({ error }: Fault): string {
	return (error instanceof InputError ? error.facts.fault : undefined) ?? (error as Error).message;
}

/** A fault, the items that have it, and its remedy. */
function describeFault(context: Items, fault: string, failures: Fault[]): string {
	const [{ error: first }] = failures;
	const named = failures.slice(0, mostNamed).map((one) => nameItem(context, one, fault));
	const more = failures.length - named.length;
	const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
	const items = failures.length === 1 ? '1 item' : `${failures.length} items`;
	const remedy = first instanceof InputError ? ` ${first.hint}` : '';
	return `${items}: ${fault} (${list}).${remedy}`;
}

/** A line for each fault. */
function listFaults(context: Items, failures: Fault[]): string {
	const faults = groupBy(failures, faultOf);
	const lines = [...faults].map(([fault, all]) => describeFault(context, fault, all));
	const more = lines.length - mostFaults;
	const named = lines.slice(0, mostFaults);
	return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

/**
 * One error for all invalid items of a node that sends nothing while any item is invalid.
 * @param runError why nothing of the run could be sent anyway; what it says of a field is not repeated for each item
 */
export function combineErrors(failures: Fault[], context: Items, runError?: unknown): unknown {
	const [{ error: first }] = failures;
	const items = context.getInputData().length;
	const ofRun = runError ?? failures.map(({ error }) => error).find(isOfWholeRun);
	if (ofRun instanceof InputError) {
		const { field, message, hint, facts } = ofRun;
		const others = failures.filter(
			({ error }) => !(error instanceof InputError) || error.field !== field,
		);
		const also = `\nAlso, ${others.length} of ${items} items cannot be sent:\n`;
		const list = others.length === 0 ? '' : also + listFaults(context, others);
		return new InputError(field, message, hint + list, facts);
	}
	// Not an input error, e.g. of the credential: show n8n's own error.
	if (!(first instanceof InputError) || items === 1) return first;
	if (failures.length === 1) {
		return new InputError(
			first.field,
			first.message,
			`${first.hint} To send the other items, set Settings > On Error to Continue.`,
			first.facts,
		);
	}
	const firstSentence = withPlace(first.message, placeOf(context, failures[0].item));
	return new InputError(
		first.field,
		`${failures.length} of ${items} items cannot be sent. The first: ${firstSentence}`,
		`Correct them, or set Settings > On Error to Continue to send the others:\n${listFaults(context, failures)}`,
		{ isOfRun: true },
	);
}
