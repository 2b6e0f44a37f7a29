import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ServiceError } from '../client/ServiceError';
import { describeFailure } from '../client/describeFailure';
import { InputError } from '../validation/InputError';

/** A limit that the user set against abuse: nothing was sent, and nothing is before `retryAfterSeconds` have passed. */
export class LimitError extends Error {
	constructor(
		message: string,
		readonly hint: string,
		readonly retryAfterSeconds: number,
	) {
		super(message);
		this.name = 'LimitError';
	}
}

export interface ErrorItem {
	error: string;
	details: IDataObject;
}

/** By which people know an item: the number as they gave it, and the name that stands beside it. */
export interface AboutItem {
	to?: unknown;
	name?: unknown;
}

export function withoutEmpty(facts: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''),
	) as IDataObject;
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	// By name as well: two copies of n8n-workflow can meet in one process.
	const { name } = (error ?? {}) as { name?: unknown };
	return name === 'NodeApiError' || name === 'NodeOperationError';
}

/** `error` and `details` are all that the error output may have: n8n 2.41 moves an item there only when it knows every key. */
export function toErrorItem(error: unknown, itemIndex: number, about: AboutItem = {}): ErrorItem {
	const { error: sentence, details } = describe(error, itemIndex);
	return { error: sentence, details: withoutEmpty({ ...about, ...details }) };
}

function describe(error: unknown, itemIndex: number): ErrorItem {
	if (error instanceof ServiceError) {
		const { message, description } = describeFailure(error);
		const { request, status: statusCode, to, clientReference, words } = error.facts;
		const about = { request, statusCode, to, clientReference, serviceMessage: words };
		return {
			error: `${message} [item ${itemIndex}]`,
			details: withoutEmpty({ kind: error.kind, description, itemIndex, ...about }),
		};
	}
	if (error instanceof InputError) {
		const { field, message, hint } = error;
		return {
			error: `${message} [item ${itemIndex}]. ${hint}`,
			details: { kind: 'input', field, description: hint, itemIndex },
		};
	}
	if (error instanceof LimitError) {
		const { message, hint, retryAfterSeconds } = error;
		return {
			error: `${message} [item ${itemIndex}]`,
			details: { kind: 'limited', description: hint, itemIndex, retryAfterSeconds },
		};
	}
	const { message, description } = error as Error & { description?: string | null };
	return {
		error: `${message} [item ${itemIndex}]`,
		details: withoutEmpty({ kind: 'node', description: description ?? undefined, itemIndex }),
	};
}

type NodeApiErrorOptions = ConstructorParameters<typeof NodeApiError>[2];

/** n8n's error for one of ours; the only place that builds them. */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (isNodeError(error)) {
		// Wrapping n8n's own errors would drop their facts.
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const { error: sentence, details } = toErrorItem(error, itemIndex);
	const message = error instanceof InputError ? `${error.message} [item ${itemIndex}]` : sentence;
	const description = typeof details.description === 'string' ? details.description : undefined;
	const nodeError =
		error instanceof ServiceError
			? toApiError(node, error, { message, description, itemIndex }, details)
			: new NodeOperationError(node, message, { description, itemIndex });
	// n8n puts a stock sentence in the place of one that holds a code such as ECONNRESET.
	nodeError.message = message;
	return nodeError;
}

function toApiError(
	node: INode,
	{ facts: { status, code } }: ServiceError,
	options: NodeApiErrorOptions,
	details: IDataObject,
): NodeApiError {
	// Message and code are always passed: n8n would take stock words, and the body's `code` for the status.
	const httpCode = String(status ?? code ?? '');
	return new NodeApiError(node, details as JsonObject, { ...options, httpCode });
}
