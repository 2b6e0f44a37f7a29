import type { INodeProperties } from 'n8n-workflow';

import { describeValue, EmptyError, InputError } from '../input/InputError';

export const collectionNames = ['filters', 'options'] as const;

/**
 * An option or filter: n8n's property, and how its value is read. If absent, it has the value `whenAbsent`
 * (n8n's `default` only fills in a new field: what a user adds must take effect at once). If present but empty or of the wrong type, it is an error:
 * an expression that returns nothing must not switch off a limit, a filter or a schedule.
 */
export interface Option<T = unknown> {
	readonly property: INodeProperties;
	readonly whenAbsent: T;
	/** Whether one value applies to all items of a run. */
	readonly isOfRun?: boolean;
	/** Default `options`; `null` for a field of the node itself. */
	readonly collection?: (typeof collectionNames)[number] | null;
	/** The option that this one belongs to. While that one is absent or off, this one is hidden and counts as absent. */
	readonly companion?: string;
	/** The field of the request that carries the value, as the service spells it. */
	readonly sentAs?: string;
	read(value: unknown): T;
}

export type Options = Record<string, Option>;

export type RunOption<T = unknown> = Option<T> & { readonly isOfRun: true };

export type ValuesOf<O extends Options> = {
	[K in keyof O]: O[K] extends Option<infer T> ? T : never;
};
export type RunValuesOf<O extends Options> = ValuesOf<{
	[K in keyof O as O[K] extends RunOption ? K : never]: O[K];
}>;

export function ofRun<T>(option: Option<T>): RunOption<T> {
	return { ...option, isOfRun: true };
}

/** An option that applies only while another one, of its collection or of the node itself, is in use. */
export function beside<O extends Option>({ property, collection }: Option, option: O): O {
	const isInUse = property.type === 'boolean' ? true : { _cnd: { exists: true as const } };
	const path = collection === null ? `/${property.name}` : property.name;
	const displayOptions = { show: { [path]: [isInUse] } };
	return {
		...option,
		companion: property.name,
		property: { ...option.property, displayOptions },
	};
}

/** An option that goes out as a field of the request: on as 1, off and absent not at all. */
export function sentAs<O extends Option>(field: string, option: O): O {
	return { ...option, sentAs: field };
}

export function ofNode<O extends Option>(option: O): O {
	return { ...option, collection: null };
}

/** Whether an expression returned nothing: blank text, an empty list or object, null, undefined or NaN. */
export function isEmptyValue(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
		const { constructor } = value;
		const isData = Array.isArray(value) || constructor === Object || constructor === undefined;
		return isData && Object.keys(value).length === 0;
	}
	return value === undefined || value === null || Number.isNaN(value);
}

/** An option with its own reader. An empty value is an EmptyError and never reaches `read`. */
export function option<T>(
	property: INodeProperties,
	whenAbsent: T,
	read: (value: unknown) => T,
	label = property.displayName,
): Option<T> {
	return {
		property,
		whenAbsent,
		read: (value) => {
			if (!isEmptyValue(value)) return read(value);
			throw new EmptyError(property.name, label, `Fill in ${property.displayName}, or remove it.`);
		},
	};
}

/** An option that is a list. An empty list is as good as none: no value is missing. */
export function listOption<T>(
	property: INodeProperties,
	whenAbsent: T,
	read: (value: unknown) => T,
): Option<T> {
	const list = option(property, whenAbsent, read);
	const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
	return { ...list, read: (value) => (isEmpty(value) ? whenAbsent : list.read(value)) };
}

/** A filter. If absent, it filters nothing. */
export function filterOption<T>(
	property: INodeProperties,
	read: (value: unknown) => T,
): Option<T | undefined> {
	const filter = option<T | undefined>(property, undefined, read, `Filter ${property.displayName}`);
	return { ...filter, collection: 'filters' };
}

/** A text that is safe to omit: empty means absent, and its description says so. */
export function optionalText<T>(
	property: INodeProperties,
	read: (value: unknown) => T,
): Option<T | undefined> {
	return {
		property,
		whenAbsent: undefined,
		read: (value) => (isEmptyValue(value) ? undefined : read(value)),
	};
}

/** Whether a value means on or off. Expressions may also return 1, 0 or "true" and "false" as text. */
export function readSwitch(value: unknown): boolean | undefined {
	if ([true, 1, 'true', '1'].includes(value as never)) return true;
	return [false, 0, 'false', '0'].includes(value as never) ? false : undefined;
}

export function switchOption(property: INodeProperties, whenAbsent = false): Option<boolean> {
	const { name, displayName } = property;
	return option(property, whenAbsent, (value) => {
		const isOn = readSwitch(value);
		if (isOn !== undefined) return isOn;
		throw new InputError(
			name,
			`${displayName} must be on or off, but is ${describeValue(value)}`,
			'Switch it on or off. An expression must return true or false.',
		);
	});
}

/** A whole number within the bounds of its property, also as text ('300'), but not 3e2. @param ownHint instead of the usual one */
export function numberOption<T>(
	property: INodeProperties,
	whenAbsent: T,
	ownHint?: string,
): Option<number | T> {
	const { name, displayName, typeOptions = {} } = property;
	const { minValue = 0, maxValue = Number.MAX_SAFE_INTEGER } = typeOptions;
	const isUnlimited = maxValue === Number.MAX_SAFE_INTEGER;
	const bounds = isUnlimited ? `${minValue} or more` : `from ${minValue} to ${maxValue}`;
	// Never suggest 0, which would disable a limit.
	const example = Math.max(minValue, 1);
	const hint =
		ownHint ?? `Use a whole number ${bounds.replace(/^\d/, 'of $&')}, such as ${example}.`;
	return option<number | T>(property, whenAbsent, (value) => {
		const isWritten = typeof value === 'string' && /^-?\d+$/.test(value.trim());
		const number = isWritten ? Number(value) : value;
		const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
		if (isWhole && number >= minValue && number <= maxValue) return number;
		throw new InputError(
			name,
			`${displayName} must be ${isWhole ? bounds : 'a whole number'}, but is ${describeValue(number)}`,
			hint,
		);
	});
}

/** A number of 0 or more, with fractions, by default 0; also accepts numbers as text. */
export function decimalOption(property: INodeProperties): Option<number> {
	const { name, displayName } = property;
	return option(property, 0, (value) => {
		const number = typeof value === 'string' ? Number(value) : value;
		if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
		throw new InputError(
			name,
			`${displayName} must be a number of 0 or more, but is ${describeValue(value)}`,
			'Use a number such as 12 or 12.5.',
		);
	});
}

/** A whole number that is the property's default where it is absent. */
export function numberWithDefault(property: INodeProperties): Option<number> {
	return numberOption(property, property.default as number);
}

/** A limit. 0 means no limit and is read as Infinity. */
export function limitOption(property: INodeProperties, whenAbsent = Infinity): Option<number> {
	const { read } = numberOption(property, whenAbsent);
	return { property, whenAbsent, read: (value) => read(value) || Infinity };
}

/** One of the values that the property lists, not case-sensitive. @throws InputError */
export function findChoice<T extends string>(property: INodeProperties, value: unknown): T {
	const { name, displayName } = property;
	const choices = (property.options ?? []) as Array<{ name: string; value: T }>;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const choice = choices.find((one) => one.value.toLowerCase() === word);
	if (choice) return choice.value;
	const words = choices.map((one) => `"${one.value}"`).join(', ');
	throw new InputError(
		name,
		`${describeValue(value)} is not valid for ${displayName}`,
		`Choose from the list. An expression can return ${words}.`,
	);
}

/** The property's default where it is absent. */
export function choiceOption<T extends string>(property: INodeProperties): Option<T> {
	return option(property, property.default as T, (value) => findChoice<T>(property, value));
}
