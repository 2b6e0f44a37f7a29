import { declareError, InputError } from './InputError';

const outOfBounds = declareError(
	'<Field> must be <expected>, but is <value>',
	'Use a whole number <bounds>, such as <example>.',
);

/**
 * A whole number from `min` to `max` (inclusive), also as text ('300').
 * @throws InputError also for '3e2', 1.5, '' and true
 */
export function requireWholeNumber(
	value: unknown,
	field: string,
	label: string,
	min: number,
	max: number,
	hint?: string,
): number {
	const isWritten = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isWritten ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
	if (isWhole && number >= min && number <= max) return number;
	const bounds = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
	const error = outOfBounds(field, {
		Field: label,
		expected: isWhole ? bounds : 'a whole number',
		value: number,
		bounds: bounds.replace(/^\d/, 'of $&'),
		// Never suggest 0, which would disable a limit.
		example: Math.max(min, 1),
	});
	throw hint === undefined ? error : new InputError(field, error.message, hint);
}
