/** A value from outside: how it is read, and how OpenAPI describes it. */
export interface Shape<T> {
	/** @throws WrongValue that names `place` */
	read(value: unknown, place: string): T;
	schema: object;
}

/** The longest that a timer of Node can wait, some 24 days. */
export const longestMs = 2_147_483_647;

export class WrongValue extends Error {}

function refuse(place: string, wanted: string, value: unknown): WrongValue {
	const shown = JSON.stringify(value)?.slice(0, 100) ?? 'nothing';
	return new WrongValue(`${place} must be ${wanted}, not ${shown}.`);
}

interface NumberRule {
	min?: number;
	max?: number;
	isWhole?: boolean;
}

export function number({ min, max, isWhole = false }: NumberRule = {}): Shape<number> {
	const from = min === undefined ? '' : ` from ${min}`;
	const wanted = `a ${isWhole ? 'whole ' : ''}number${from}${max === undefined ? '' : ` to ${max}`}`;
	return {
		schema: { type: isWhole ? 'integer' : 'number', minimum: min, maximum: max },
		read: (value, place) => {
			const isNumber = typeof value === 'number' && Number.isFinite(value);
			const isFine =
				isNumber &&
				value >= (min ?? -Infinity) &&
				value <= (max ?? Infinity) &&
				(!isWhole || Number.isSafeInteger(value));
			if (!isFine) throw refuse(place, wanted, value);
			return value;
		},
	};
}

/** @param wanted what it must be, in words, where not every text will do */
export function text(
	wanted = 'a text',
	isFine: (text: string) => boolean = () => true,
): Shape<string> {
	return {
		schema: { type: 'string', ...(wanted !== 'a text' && { description: wanted }) },
		read: (value, place) => {
			if (typeof value !== 'string' || !isFine(value)) throw refuse(place, wanted, value);
			return value;
		},
	};
}

export function flag(): Shape<boolean> {
	return {
		schema: { type: 'boolean' },
		read: (value, place) => {
			if (typeof value !== 'boolean') throw refuse(place, 'true or false', value);
			return value;
		},
	};
}

export function oneOf<const T extends string>(...words: T[]): Shape<T> {
	return {
		schema: { type: 'string', enum: words },
		read: (value, place) => {
			const word = words.find((one) => one === value);
			if (word === undefined) throw refuse(place, `one of ${words.join(', ')}`, value);
			return word;
		},
	};
}

export function listOf<T>(entry: Shape<T>): Shape<T[]> {
	return {
		schema: { type: 'array', items: entry.schema },
		read: (value, place) => {
			if (!Array.isArray(value)) throw refuse(place, 'a list', value);
			return value.map((one, index) => entry.read(one, `${place}[${index}]`));
		},
	};
}

/**
 * An object with any names, all of whose values have one shape.
 *
 * @param wanted what a name must be, in words
 */
export function mapOf<T>(
	entry: Shape<T>,
	wanted: string,
	isName: (name: string) => boolean,
): Shape<Record<string, T>> {
	return {
		schema: { type: 'object', additionalProperties: entry.schema },
		read: (value, place) =>
			Object.fromEntries(
				Object.entries(readObject(value, place)).map(([name, one]) => {
					if (!isName(name)) throw refuse(`A name in ${place}`, wanted, name);
					return [name, entry.read(one, `${place}.${name}`)];
				}),
			),
	};
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
	return {
		schema: { anyOf: [shape.schema, { type: 'null' }] },
		read: (value, place) => (value === null ? null : shape.read(value, place)),
	};
}

/** A number that comes as a text, as in a query. */
export function numberText(rule: NumberRule): Shape<number> {
	const { schema, read } = number(rule);
	return {
		schema,
		read: (value, place) => read(/^-?\d+$/.test(String(value)) ? Number(value) : value, place),
	};
}

/** `10s` or `500ms`, read into milliseconds. */
export function duration(maxMs: number): Shape<number> {
	const wanted = `a duration such as 10s or 500ms, of ${maxMs / 1000}s at most`;
	return {
		schema: { type: 'string', pattern: '^\\d+(ms|s)$', description: wanted },
		read: (value, place) => {
			const [, digits, unit] = /^(\d{1,9})(ms|s)$/.exec(String(value)) ?? [];
			const ms = Number(digits) * (unit === 's' ? 1000 : 1);
			if (!(ms <= maxMs)) throw refuse(place, wanted, value);
			return ms;
		},
	};
}

/** Anything that JSON can say. */
export const anything: Shape<unknown> = { schema: {}, read: (value) => value };

type Required<T> = { [N in keyof T as undefined extends T[N] ? never : N]: T[N] };
type Fields<T> = { [N in keyof T]-?: Shape<Exclude<T[N], undefined>> };

/**
 * An object with these names and no others.
 *
 * @param fields what it can have
 * @param required which of them it must have
 * @param what they are called in the refusal of an unknown name
 */
export function objectOf<T extends object>(
	fields: Fields<T>,
	required: Array<keyof Required<T> & string>,
	what = 'fields',
): Shape<T> {
	const known: Record<string, Shape<unknown>> = fields;
	const properties = Object.fromEntries(
		Object.entries(known).map(([name, { schema }]) => [name, schema]),
	);
	return {
		schema: { type: 'object', properties, required, additionalProperties: false },
		read: (value, place) => {
			const given = Object.entries(readObject(value, place)).filter(([, one]) => one !== undefined);
			const unknown = given.filter(([name]) => !Object.hasOwn(known, name));
			const prefix = place === '' || place === 'The body' ? '' : `${place}.`;
			if (unknown.length > 0) {
				const names = unknown.map(([name]) => `${prefix}${name}`).join(', ');
				throw new WrongValue(`Unknown ${what}: ${names}`);
			}
			const object = Object.fromEntries(
				given.map(([name, one]) => [name, known[name]!.read(one, `${prefix}${name}`)]),
			);
			const missing = required.find((name) => !(name in object));
			if (missing !== undefined) throw new WrongValue(`${prefix}${missing} is missing.`);
			return object as T;
		},
	};
}

/** The first shape that takes the value; @param wanted what it must be, in words */
export function either<T>(wanted: string, ...shapes: Array<Shape<T>>): Shape<T> {
	return {
		schema: { anyOf: shapes.map(({ schema }) => schema) },
		read: (value, place) => {
			for (const shape of shapes) {
				try {
					return shape.read(value, place);
				} catch (error) {
					if (!(error instanceof WrongValue)) throw error;
				}
			}
			throw refuse(place, wanted, value);
		},
	};
}

function readObject(value: unknown, place: string): object {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	if (!isObject) throw refuse(place || 'It', 'an object', value);
	return value;
}
