import { groupBy } from '../input/comparison';
import { InputError, nameFirst } from '../input/InputError';
import { isOfWholeRun, type Items, nameItem, placeOf, withPlace } from '../n8n/errors';
import type { Fault } from './plan';

const mostFaults = 10;

function faultOf({ error }: Fault): string {
	return (error instanceof InputError ? error.facts.fault : undefined) ?? (error as Error).message;
}

/** A fault, the items that have it, such as `row 9: "097"`, and its remedy. */
function describeFault(context: Items, fault: string, all: Fault[]): string {
	const names = all.map(({ item, error }) => {
		const place = nameItem(context, item);
		const { message } = error as Error;
		return message.startsWith(`${fault}: `) ? place + message.slice(fault.length) : place;
	});
	const count = all.length === 1 ? '1 item' : `${all.length} items`;
	const [{ error }] = all;
	const remedy = error instanceof InputError ? ` ${error.hint}` : '';
	return `${count}: ${fault} (${nameFirst(names, 3, '; ')}).${remedy}`;
}

function listFaults(context: Items, faults: Fault[]): string {
	const lines = [...groupBy(faults, faultOf)].map(([fault, all]) =>
		describeFault(context, fault, all),
	);
	const more = lines.length - mostFaults;
	return [...lines.slice(0, mostFaults), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

/**
 * One error for all invalid items of a node that sends nothing while any item is invalid.
 * @param runError why nothing of the run could be sent anyway
 */
export function combineFaults(context: Items, faults: Fault[], runError?: InputError): unknown {
	const [{ error: first, item }] = faults;
	const items = context.getInputData().length;
	const ofRun = runError ?? faults.map(({ error }) => error).find(isOfWholeRun);
	// Not an input error, e.g. of the credential: show n8n's own error.
	const shown = ofRun ?? first;
	if (!(shown instanceof InputError) || items === 1) return shown;
	const { field, message, hint, facts } = shown;
	if (ofRun) {
		// What it says of a field is not repeated for each item.
		const others = faults.filter((one) => (one.error as Partial<InputError>).field !== field);
		const also = `\nAlso, ${others.length} of ${items} items cannot be sent:\n`;
		const list = others.length === 0 ? '' : also + listFaults(context, others);
		return new InputError(field, message, hint + list, facts);
	}
	if (faults.length === 1) {
		const remedy = `${hint} To send the other items, set Settings > On Error to Continue.`;
		return new InputError(field, message, remedy, facts);
	}
	return new InputError(
		field,
		`${faults.length} of ${items} items cannot be sent. The first: ${withPlace(message, placeOf(context, item))}`,
		`Correct them, or set Settings > On Error to Continue to send the others:\n${listFaults(context, faults)}`,
		{ isOfRun: true },
	);
}
