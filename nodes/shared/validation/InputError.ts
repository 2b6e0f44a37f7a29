/**
 * Input that must not reach the service. `message` says what is wrong and names the field by its
 * label; `hint` says what would be right, with an example; `field` is the parameter's own name.
 */
export class InputError extends Error {
	constructor(
		readonly field: string,
		message: string,
		readonly hint: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** A field that has to be filled in, and is not. An expression that gave nothing ends up here as well. */
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

/** Shows a value in a sentence: texts in quotes and shortened, anything else by its kind. */
export function describeValue(value: unknown): string {
	if (typeof value === 'string') {
		const characters = Array.from(value);
		const shown =
			characters.length > longestQuote
				? `${characters.slice(0, longestQuote).join('')}…`
				: characters.join('');
		return JSON.stringify(shown);
	}
	if (value === undefined || value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
	return String(value);
}
