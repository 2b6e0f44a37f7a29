import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { describeFailure } from '../client/texts';
import { ServiceError } from '../client/failure';
import { InputError, nameFirst } from '../input/InputError';
import { listRecipients } from '../input/notation';

/** Which item an error is about, as people count them. */
export interface Place {
	itemIndex: number;
	items: number;
	/** Row of the spreadsheet, where n8n or SMS List says so. */
	row?: number;
}

export type Items = Pick<IExecuteFunctions, 'getInputData'>;

export function placeOf(context: Items, itemIndex: number): Place {
	const input = context.getInputData();
	const { row_number, row = row_number } = input[itemIndex]?.json ?? {};
	return {
		itemIndex,
		items: input.length,
		...(Number.isSafeInteger(row) && { row: row as number }),
	};
}

/** The row, which people see in their list; else the item. */
export function nameItem(context: Items, item: number): string {
	const { row } = placeOf(context, item);
	return row === undefined ? `item ${item + 1}` : `row ${row}`;
}

/** `items 8, 144, 973`, or `rows` where all have one. */
export function namePlaces(context: Items, items: number[], most: number): string {
	const places = [...new Set(items)].map((item) => placeOf(context, item));
	const isOfRows = places.every(({ row }) => row !== undefined);
	const numbers = places.map(({ row, itemIndex }) => String(isOfRows ? row : itemIndex + 1));
	return `${isOfRows ? 'row' : 'item'}${places.length === 1 ? '' : 's'} ${nameFirst(numbers, most)}`;
}

/** A sentence that ends with the row, which people see in their list; else with the item, if there are several. */
export function withPlace(sentence: string, { itemIndex, items, row }: Place): string {
	if (row !== undefined) return `${sentence} (row ${row})`;
	return items > 1 ? `${sentence} (item ${itemIndex + 1} of ${items})` : sentence;
}

export function isOfWholeRun(error: unknown): boolean {
	return error instanceof InputError && error.facts.isOfRun === true;
}

function sentenceOf({ message, facts }: InputError, place: Place): string {
	return facts.isOfRun ? message : withPlace(message, place);
}

/** A limit that the user set against abuse: nothing was sent or will be until `retryAfterSeconds` have passed. */
export class LimitError extends Error {
	constructor(
		message: string,
		readonly hint: string,
		readonly retryAfterSeconds: number,
		/** The option that sets the limit. */
		readonly field: string,
	) {
		super(message);
		this.name = 'LimitError';
	}
}

/** What happened, without its item and without advice. */
export function reasonOf(error: unknown): string {
	return error instanceof ServiceError ? describeFailure(error).message : (error as Error).message;
}

export interface ErrorItem {
	error: string;
	details: IDataObject;
}

export function withoutEmpty(facts: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''),
	) as IDataObject;
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	// By name: one process can hold two copies of n8n-workflow.
	const { name } = (error ?? {}) as { name?: unknown };
	return name === 'NodeApiError' || name === 'NodeOperationError';
}

/**
 * Only `error` and `details`: n8n 2.41 moves an item to the error output only if it knows every key.
 * @param about how people identify an item: the number as entered, and the name beside it
 */
export function toErrorItem(
	error: unknown,
	place: Place,
	about: { to?: unknown; name?: unknown } = {},
): ErrorItem {
	const { error: sentence, details } = describe(error, place);
	// Of several recipients, only the error says which one it is about.
	const isOfOne = listRecipients(about.to).length < 2;
	const all = isOfOne ? { ...details, ...withoutEmpty({ ...about }) } : { ...about, ...details };
	return { error: sentence, details: withoutEmpty(all) };
}

function describe(error: unknown, place: Place): ErrorItem {
	const { itemIndex } = place;
	if (error instanceof ServiceError) {
		const { message, description } = describeFailure(error);
		const { request, status: statusCode, to, clientReference, words } = error.facts;
		const about = { request, statusCode, to, clientReference, serviceMessage: words };
		return {
			error: withPlace(message, place),
			details: withoutEmpty({ kind: error.kind, description, itemIndex, ...about }),
		};
	}
	if (error instanceof InputError) {
		const { field, hint } = error;
		return {
			error: `${sentenceOf(error, place)}. ${hint}`,
			details: { kind: 'input', field, description: hint, itemIndex },
		};
	}
	if (error instanceof LimitError) {
		const { message, hint, retryAfterSeconds, field } = error;
		return {
			error: withPlace(message, place),
			details: { kind: 'limited', field, description: hint, itemIndex, retryAfterSeconds },
		};
	}
	const { message, description } = error as Error & { description?: string | null };
	return {
		error: withPlace(message, place),
		details: { kind: 'node', description: description ?? undefined, itemIndex },
	};
}

/** Converts an error to n8n's. Node errors must be created only here. */
export function toNodeError(
	node: INode,
	error: unknown,
	place: Place,
): NodeApiError | NodeOperationError {
	if (isNodeError(error)) {
		// Wrapping n8n's own errors would lose their details.
		error.context.itemIndex ??= place.itemIndex;
		return error;
	}
	const { error: sentence, details } = toErrorItem(error, place);
	const message = error instanceof InputError ? sentenceOf(error, place) : sentence;
	const description = typeof details.description === 'string' ? details.description : undefined;
	// The editor would add its own count, from 0, to a message that counts from 1 or is about the run.
	const itemIndex = place.items > 1 || isOfWholeRun(error) ? undefined : place.itemIndex;
	const about = { message, description, itemIndex };
	// Always pass message and code: otherwise n8n uses stock text, and the body's `code` as the status.
	const { status, code = '' } = error instanceof ServiceError ? error.facts : {};
	const nodeError =
		error instanceof ServiceError
			? new NodeApiError(node, details as JsonObject, {
					...about,
					httpCode: String(status ?? code),
				})
			: new NodeOperationError(node, message, about);
	// n8n replaces a message that contains a code such as ECONNRESET with a stock sentence.
	nodeError.message = message;
	return nodeError;
}
