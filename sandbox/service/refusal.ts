import { STATUS_CODES } from 'node:http';

/** Something the service refuses; becomes its error body (specification, Errors). */
export class Refusal extends Error {
	/** @param reason what the service does not say, for people at the sandbox */
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

/** A field that cannot be accepted. The specification shows no status for it; 422 is ours. */
export function refuseField(message: string): Refusal {
	return new Refusal(422, message);
}
