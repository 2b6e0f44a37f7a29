import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { defaultParallelRequests, defaultTimeout, mostParallelRequests } from './properties';
import { describeValue, InputError } from '../validation/InputError';
import { requireWholeNumber } from '../validation/wholeNumber';

/** `={{ $json.field }}` or `={{ $json["field"] }}`, also several levels deep, and nothing else. */
const fieldOfItem =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'"\\]*'|"[^'"\\]*")\])+)\s*\}\}$/;
const step = /\.([A-Za-z_$][\w$]*)|\[(?:'([^']*)'|"([^"]*)")\]/g;

function stepsOf(expression: unknown): string[] | undefined {
	const path = typeof expression === 'string' ? fieldOfItem.exec(expression)?.[1] : undefined;
	if (path === undefined) return undefined;
	return [...path.matchAll(step)].map((match) => match[1] ?? match[2] ?? match[3]);
}

function isPlain(value: unknown): boolean {
	return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

/** The value at the end of own properties; `undefined` for whatever n8n had better evaluate itself. */
function follow(steps: string[], json: unknown): unknown {
	let value = json;
	for (const name of steps) {
		const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
		if (!isThere || Array.isArray(value)) return undefined;
		value = (value as Record<string, unknown>)[name];
	}
	if (isPlain(value)) return value;
	return Array.isArray(value) && value.every(isPlain) ? [...value] : undefined;
}

function isAlike(a: unknown, b: unknown): boolean {
	if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
	return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}

/** Whether no part of a parameter is an expression. */
export function isFixed(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=');
	return typeof raw !== 'object' || raw === null || Object.values(raw).every(isFixed);
}

/** The parameters as they are written, and each option and filter by itself, as `options.timeout`. */
function listParameters(context: IExecuteFunctions): Array<[name: string, raw: unknown]> {
	const { parameters } = context.getNode();
	const inner = ['options', 'filters'].flatMap((collection) =>
		Object.entries(parameters[collection] ?? {}).map(([name, raw]): [string, unknown] => [
			`${collection}.${name}`,
			raw,
		]),
	);
	return [...Object.entries(parameters), ...inner];
}

/** @param otherwise the value of a parameter that the node does not have */
export type ReadField = (name: string, itemIndex: number, otherwise?: object) => unknown;

/**
 * Reads parameters of many items fast. n8n spends about 0.2 ms on each expression; a parameter that is the same
 * for all items is read once, and one that only names a field of the item is read from the item. Everything else,
 * and every value that is no plain text, number or list of those, goes through n8n, so the results are the same.
 * n8n is asked once for each such expression as well: it refuses some, e.g. those that name `constructor`. What it
 * gave last is kept, for those who ask for the same again.
 */
export function createFieldReader(context: IExecuteFunctions): ReadField {
	const items = context.getInputData();
	const parameters = listParameters(context);
	const fixed = new Map(parameters.map(([name, raw]) => [name, isFixed(raw)] as const));
	const values = new Map<string, unknown>();
	const proven = new Set<string>();
	const paths = new Map(parameters.map(([name, raw]) => [name, stepsOf(raw)] as const));
	const newest = new Map<string, { itemIndex: number; value: unknown }>();
	const ask: ReadField = (name, itemIndex, otherwise) => {
		const known = newest.get(name);
		if (known?.itemIndex === itemIndex) return known.value;
		const value: unknown = context.getNodeParameter(name, itemIndex, otherwise);
		newest.set(name, { itemIndex, value });
		return value;
	};

	return (name, itemIndex, otherwise) => {
		const steps = paths.get(name);
		const value = steps && follow(steps, items[itemIndex]?.json);
		if (value !== undefined) {
			if (proven.has(name)) return value;
			const asked = ask(name, itemIndex);
			if (!isAlike(asked, value)) return asked;
			proven.add(name);
			return value;
		}
		if (fixed.get(name) === false) return ask(name, itemIndex, otherwise);
		if (!values.has(name)) values.set(name, ask(name, itemIndex, otherwise));
		return values.get(name);
	};
}

/** Options that hold for a whole run, whatever item they name. */
const optionsOfRun = new Set([
	'doNotSendTo',
	'dryRun',
	'maxMessages',
	'pricePerPart',
	'sendWindow',
	'skipDuplicates',
]);

/**
 * Reads the options for an item. Those of the whole run are read from the first item, once: a list of 100,000 numbers
 * would hold each of the others up.
 */
export function createOptionsReader(
	context: IExecuteFunctions,
	readField: ReadField,
): (item: number) => IDataObject {
	const raw = context.getNode().parameters.options;
	const isOneByOne = typeof raw === 'object' && !isFixed(raw);
	if (!isOneByOne) return (item) => readField('options', item, {}) as IDataObject;
	const names = Object.keys(raw ?? {});
	const ofRun = new Map<string, unknown>();
	const readOfRun = (name: string) => {
		if (!ofRun.has(name)) ofRun.set(name, readField(`options.${name}`, 0));
		return ofRun.get(name);
	};
	return (item) =>
		Object.fromEntries(
			names.map((name) => [
				name,
				optionsOfRun.has(name) ? readOfRun(name) : readField(`options.${name}`, item),
			]),
		) as IDataObject;
}

/**
 * A switch that costs money when it is not read as it was meant: off only where it is absent or says so.
 * @throws InputError for what is neither on nor off, such as the empty result of an expression
 */
export function readSwitch(options: Record<string, unknown>, name: string, label: string): boolean {
	if (!Object.hasOwn(options, name)) return false;
	const value = options[name];
	if ([true, 1, 'true', '1'].includes(value as never)) return true;
	if ([false, 0, 'false', '0'].includes(value as never)) return false;
	throw new InputError(
		name,
		`${label} is neither on nor off, but ${describeValue(value)}`,
		'Switch it on or off; an expression gives true or false.',
	);
}

export interface RequestSettings {
	parallelRequests: number;
	/** Milliseconds. */
	timeout: number;
}

/** The settings of a run come from the options of the first item, since requests of all items share them. */
export function readRequestSettings(
	context: IExecuteFunctions,
	options = context.getNodeParameter('options', 0, {}) as IDataObject,
): RequestSettings {
	const read = (name: string, label: string, max: number) =>
		optionalWholeNumber(options[name], name, label, 1, max);
	return {
		parallelRequests:
			read('parallelRequests', 'Parallel Requests', mostParallelRequests) ??
			defaultParallelRequests,
		timeout: read('timeout', 'Timeout (Milliseconds)', 600_000) ?? defaultTimeout,
	};
}

/** An optional field that was not filled in. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/**
 * A limit, which 0 or nothing switches off.
 * @throws InputError
 */
export function readLimit(value: unknown, field: string, label: string, most: number): number {
	return optionalWholeNumber(value, field, label, 0, most) || Infinity;
}

/**
 * As `requireWholeNumber`; `undefined` when it was not filled in.
 * @throws InputError
 */
export function optionalWholeNumber(
	value: unknown,
	field: string,
	label: string,
	min: number,
	max: number,
): number | undefined {
	return isEmpty(value) ? undefined : requireWholeNumber(value, field, label, min, max);
}

/**
 * The same of an option that guards something, which is absent only when it was not added: an expression that gives
 * nothing would guard nothing.
 * @throws InputError
 */
export function readNumber(
	options: IDataObject,
	name: string,
	label: string,
	{ min, max }: { min: number; max: number },
): number | undefined {
	if (!Object.hasOwn(options, name)) return undefined;
	return requireWholeNumber(options[name], name, label, min, max);
}
