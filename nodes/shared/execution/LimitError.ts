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
