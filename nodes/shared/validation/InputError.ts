/** Input that must not reach the service. `message` names the field by its label; `hint` says how to correct it. */
export class InputError extends Error {
	constructor(
		readonly field: string,
		message: string,
		readonly hint: string,
		/** Whether anything was sent, if that differs from what the node says of all its input errors. */
		readonly outcome?: string,
	) {
		super(message);
		this.name = 'InputError';
	}

	/** n8n shows it of an error that a credential throws. */
	get description(): string {
		return this.hint;
	}

	/** @param outcome a sentence on whether anything was sent, which begins the hint; empty for none */
	withOutcome(outcome: string): InputError {
		const hint = [this.outcome ?? outcome, this.hint].filter(Boolean).join(' ');
		return new InputError(this.field, this.message, hint);
	}
}

/** A required field is empty, or its expression returned no value. */
export class EmptyError extends InputError {
	constructor(
		field: string,
		readonly label: string,
		hint: string,
	) {
		super(field, `${label} is empty`, hint);
	}
}

const longestQuote = 40;

/** A value for use in a sentence: text in quotes and shortened, lists and objects by type. */
export function describeValue(value: unknown): string {
	if (typeof value === 'string') {
		const start = Array.from(value.slice(0, 2 * longestQuote))
			.slice(0, longestQuote)
			.join('');
		return JSON.stringify(start === value ? value : `${start}…`);
	}
	if (value === undefined || value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
	return String(value);
}
