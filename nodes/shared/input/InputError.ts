interface InputFacts {
	/** Whether anything was sent, if that differs from what the node says of all its input errors. */
	outcome?: string;
	/** The message without the value at its end, if that is what items with the same fault have in common. */
	fault?: string;
	/** Whether it concerns the run, not an item. */
	isOfRun?: boolean;
}

/** Input that must not reach the service. `message` names the field by its label; `hint` says how to correct it. */
export class InputError extends Error {
	readonly facts: InputFacts;

	/** @param value ends the message */
	constructor(
		readonly field: string,
		message: string,
		readonly hint: string,
		{ value, ...facts }: InputFacts & { value?: unknown } = {},
	) {
		super(value === undefined ? message : `${message}: ${describeValue(value)}`);
		this.name = 'InputError';
		this.facts = value === undefined ? facts : { ...facts, fault: message };
	}

	/** n8n shows it of an error that a credential throws. */
	get description(): string {
		return this.hint;
	}

	/** @param outcome a sentence on whether anything was sent, which begins the hint; empty for none */
	withOutcome(outcome: string): InputError {
		const hint = [this.facts.outcome ?? outcome, this.hint].filter(Boolean).join(' ');
		return new InputError(this.field, this.message, hint, this.facts);
	}
}

/** @param what continues the label of the field */
export function refuse(
	field: string,
	what: string,
	hint: string,
	value?: unknown,
	label = toLabel(field),
): never {
	throw new InputError(field, `${label} ${what}`, hint, { value });
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

/** Labels of fields that their names don't spell. Options are named by their reader. */
const labels: Record<string, string> = {
	deliveryReceiptUrl: 'Delivery Receipt URL',
	encryptKey: 'Encryption Key',
	expectedTo: 'Must Belong To',
	from: 'Sender ID',
	onlySendTo: 'Only Send To of the credential',
	requestId: 'Request ID',
	serviceTimeZone: 'Service Time Zone in the credential',
};

export function toLabel(field: string): string {
	const words = field.replace(/[A-Z]/g, ' $&');
	return labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
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

/** `a, b, c and 2 more`. */
export function nameFirst(all: string[], most = 3, separator = ', '): string {
	const more = all.length > most ? ` and ${all.length - most} more` : '';
	return all.slice(0, most).join(separator) + more;
}

/** Returns what `read` throws as a value. */
export function attempt<T>(read: () => T): { value: T } | { error: unknown } {
	try {
		return { value: read() };
	} catch (error) {
		return { error };
	}
}
