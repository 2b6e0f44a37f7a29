import * as z from 'zod/v4';

/** An external value that is not valid. */
export class WrongValue extends Error {}

/** Nothing has the requested ID. */
export class NotFound extends Error {}

/** Longest delay of a Node timer, about 24 days. */
const longestMs = 2_147_483_647;

export const milliseconds = z.number().min(0).max(longestMs);
export const whole = z.int().min(0);
export const filledText = z.string().refine((text) => text !== '', 'a text that is not empty');

/** A whole number given as text, as in a query. */
export const wholeText = z
	.string()
	.regex(/^\d{1,15}$/, 'a whole number from 0')
	.transform(Number);

/** `10s` or `500ms`, converted to milliseconds. */
export function duration(maxMs: number): z.ZodType<number, string> {
	const wanted = `a duration such as 10s or 500ms, of ${maxMs / 1000}s at most`;
	return z
		.string()
		.regex(/^\d{1,9}(ms|s)$/, wanted)
		.transform((text) => parseInt(text, 10) * (text.endsWith('ms') ? 1 : 1000))
		.refine((ms) => ms <= maxMs, wanted);
}

/**
 * Validates an external value.
 *
 * @param names plural noun for the value's names in error messages
 * @throws WrongValue that names the mistake
 */
export function read<T>(shape: z.ZodType<T>, value: unknown, names = 'fields'): T {
	const { data, error } = shape.safeParse(value, { reportInput: true });
	if (!error) return data as T;
	throw new WrongValue(describe(findDeepest(error.issues), names));
}

type Issue = z.core.$ZodIssue;

/** Reports the error of the closest choice of a union: right type first, then known names, then the deepest error. */
function findDeepest(issues: Issue[]): Issue {
	const [issue] = issues as [Issue];
	if (issue.code !== 'invalid_union') return issue;
	const ofType = issue.errors.filter((errors) =>
		errors.some(({ path }) => path.length > 0 || hasNames(errors)),
	);
	const ofNames = ofType.filter((errors) => !hasNames(errors));
	const choices = (ofNames.length > 0 ? ofNames : ofType).map(findDeepest);
	const [best] = choices.sort((one, other) => other.path.length - one.path.length);
	return best ? { ...best, path: [...issue.path, ...best.path] } : issue;
}

function hasNames(errors: Issue[]): boolean {
	return errors.some(({ code }) => code === 'unrecognized_keys');
}

function describe(issue: Issue, names: string): string {
	const place = writePlace(issue.path);
	if (issue.code === 'unrecognized_keys') {
		const unknown = issue.keys.map((name) => (place === '' ? name : `${place}.${name}`));
		return `Unknown ${place === '' ? names : 'fields'}: ${unknown.join(', ')}`;
	}
	if (issue.input === undefined && place !== '') return `${place} is missing.`;
	const shown = JSON.stringify(issue.input)?.slice(0, 100) ?? 'nothing';
	return `${place || 'The body'} must be ${describeWanted(issue)}, not ${shown}.`;
}

function writePlace(path: PropertyKey[]): string {
	return path.reduce<string>((text, name) => {
		if (typeof name === 'number') return `${text}[${name}]`;
		return text === '' ? String(name) : `${text}.${String(name)}`;
	}, '');
}

const typeNames: Record<string, string> = {
	...{ array: 'a list', boolean: 'true or false', int: 'a whole number', number: 'a number' },
	...{ object: 'an object', record: 'an object', string: 'a text' },
};

function describeWanted(issue: Issue): string {
	switch (issue.code) {
		case 'invalid_type':
			return typeNames[issue.expected] ?? issue.expected;
		case 'invalid_value':
			return `one of ${issue.values.join(', ')}`;
		case 'too_small':
			return `a number from ${issue.minimum}`;
		case 'too_big':
			return `a number up to ${issue.maximum}`;
		case 'invalid_union':
			return issue.message === 'Invalid input' ? 'something else' : issue.message;
		case 'invalid_key':
			return issue.issues[0]?.message ?? 'another name';
		default:
			return issue.message;
	}
}
