import { STATUS_CODES } from 'node:http';

/** A rejection by the service; becomes its error body (specification, Errors). */
export class Refusal extends Error {
	/** @param reason details that the service does not return, for users of the sandbox */
	constructor(
		readonly status: number,
		message: string,
		readonly reason: string = message,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

export interface ErrorBody {
	name: string;
	message: string;
	code: 0;
	status: number;
}

export function buildErrorBody(status: number, message?: string): ErrorBody {
	const name = STATUS_CODES[status] ?? 'Error';
	return { name, message: message ?? name, code: 0, status };
}

/** Rejects a field. The specification does not show a status for it; 422 is the sandbox's choice. */
export function refuseField(message: string): Refusal {
	return new Refusal(422, message);
}
