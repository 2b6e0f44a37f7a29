import { describeValue, InputError } from './InputError';

/**
 * A whole number from `min` to `max`, both included, also when it came as text ('300').
 * @throws InputError also for '3e2', 1.5, '' and true
 */
export function requireWholeNumber(
	value: unknown,
	field: string,
	label: string,
	min: number,
	max: number,
): number {
	const isWritten = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isWritten ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isSafeInteger(number))
		throw new InputError(
			field,
			`${label} must be a whole number, but is ${describeValue(value)}`,
			`Use a whole number from ${min} to ${max}, such as ${min}.`,
		);
	if (number >= min && number <= max) return number;
	throw new InputError(
		field,
		`${label} must be from ${min} to ${max}, but is ${number}`,
		`Use a whole number from ${min} to ${max}, such as ${min}.`,
	);
}
