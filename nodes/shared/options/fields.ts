import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

import { attempt, describeValue } from '../input/InputError';
import { isBlank } from '../input/text';
import { describeGap, isOfExpression, stepsOf } from '../n8n/expression';
import { allowEmptyFields } from './limits';
import { collectionNames } from './option';

/** Reads a parameter of an item. @param otherwise default for a parameter that the node does not have */
export type ReadField = (name: string, item: number, otherwise?: object) => unknown;

interface Piece {
	code: string;
	/** The path to a field of the item, if it is nothing else. */
	steps?: string[];
	/** Whether n8n reads the same. */
	isProven: boolean;
}

/** A parameter as written: text and `{{ }}`, or a value without expressions. */
interface Field {
	parts: Array<string | Piece>;
	isFixed: boolean;
	value?: { of: unknown };
}

export function isFixed(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=');
	return typeof raw !== 'object' || raw === null || Object.values(raw).every(isFixed);
}

/** Cuts an expression as n8n does; not at all if a `{{` is never closed. */
export function toParts(raw: unknown): Field['parts'] {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
	const chunks = ExpressionParser.splitExpression(raw.slice(1));
	if (chunks.some((chunk) => chunk.type === 'code' && !chunk.hasClosingBrackets)) return [];
	const parts = chunks.map((chunk) => {
		const code = ExpressionParser.joinExpression([chunk]);
		return chunk.type === 'code' ? { code, steps: stepsOf(code), isProven: false } : code;
	});
	return parts.filter((part) => part !== '');
}

/** The parameters as written, each option and filter under a name such as `options.timeout`. */
function listFields(context: IExecuteFunctions): Map<string, Field> {
	const { parameters } = context.getNode();
	const inner = collectionNames.flatMap((collection) =>
		Object.entries(parameters[collection] ?? {}).map(
			([name, raw]) => [`${collection}.${name}`, raw as unknown] as const,
		),
	);
	return new Map(
		[...Object.entries(parameters), ...inner].map(([name, raw]) => [
			name,
			{ parts: toParts(raw), isFixed: isFixed(raw) },
		]),
	);
}

function isPlain(value: unknown): boolean {
	return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

/** Lists already checked: items often share one list of many thousand numbers. */
const plainLists = new WeakSet<object>();

/** The value at the end of a path of own properties; `undefined` if n8n must evaluate it. */
function follow(steps: string[], json: unknown): unknown {
	let value = json;
	for (const name of steps) {
		const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
		if (!isThere || Array.isArray(value)) return undefined;
		value = (value as Record<string, unknown>)[name];
	}
	if (isPlain(value) || plainLists.has(value as object)) return value;
	if (!Array.isArray(value) || !value.every(isPlain)) return undefined;
	plainLists.add(value);
	return value;
}

function isAlike(a: unknown, b: unknown): boolean {
	if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
	return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}

/** As n8n puts the value of a `{{ }}` into a text. */
function toText(value: unknown): string {
	return value || value === 0 || value === false ? [value].join('') : '';
}

/** Fields whose gaps would reach people, or have a message skipped, sent, or sent at another time. */
const texts = [
	...['to', 'message', 'from'],
	...['options.clientReference', 'options.scheduledAt', 'options.doNotSendTo'],
];

/** What spreadsheets write for a value that could not be computed, and programs for one that is missing. */
const noValue =
	/^(?:#(?:N\/[AD]|NV|GETTING_DATA|¡?[\p{Lu}/0]+[!?])|Err:\d{3}|null|undefined|NaN|NaT|\\N|<NA>)$/u;
const missing = /\b(?:undefined|null|NaN)\b/;

/** What the text of a `{{ }}` is if it says nothing. */
function findGap(text: string, { code, steps }: Piece, json: object): string | undefined {
	// A line break is a value: it separates lines.
	if (isBlank(text) && !text.includes('\n')) return mayBeEmpty(code) ? undefined : 'empty';
	const word = text.trim();
	if (word === '[object Object]') return 'an object';
	if (noValue.test(word)) return word;
	// An expression has joined a field that is missing: `"Hello undefined"`. The word may also be somebody's own.
	const [joined] = (!steps && missing.exec(text)) || [];
	if (joined === undefined || code.includes(joined)) return undefined;
	const isOwn = JSON.stringify(json, (_, value: unknown) => value ?? 0).includes(joined);
	return isOwn ? undefined : describeValue(word);
}

/** What an empty text is for if it is not a result: it is replaced, joined by or compared with. */
const notResults = /\.(?:replace|replaceAll|split|join)\([^()]*\)|[=!]==?\s*(?:''|"")/g;

/** An empty text as a result of a `{{ }}` says that it is meant to be empty sometimes. */
function mayBeEmpty(code: string): boolean {
	return /''|""/.test(code.replace(notResults, ''));
}

/**
 * Reads the parameters of many items fast: n8n needs about 0.2 ms per expression. A parameter without expressions is
 * read once, and a `{{ }}` that only names a field is read from the item. Everything else, and every value that is not
 * text, a number or a list of those, goes through n8n, so the results are the same. Only a function in a text is an
 * error: n8n would put its code there. The first value of each `{{ }}` is compared with n8n's, because n8n rejects some
 * expressions, e.g. those that name `constructor`.
 * @param gaps for a node that sends: a `{{ }}` without a value in one of `texts` is an InputError. `hasOption` says
 * whether the node has the option Allow Empty Fields
 */
export function createFieldReader(
	context: IExecuteFunctions,
	gaps?: { hasOption: boolean },
): ReadField {
	const items = context.getInputData();
	const fields = listFields(context);

	/** n8n does not name the parameter in the error of an expression that a node evaluates. */
	const evaluate = (name: string, item: number, code: string): unknown => {
		const result = attempt(() => context.evaluateExpression(code, item));
		if ('value' in result) return result.value;
		if (isOfExpression(result.error)) result.error.context.parameter = name;
		throw result.error;
	};
	const readPiece = (piece: Piece, item: number, ask: () => unknown): unknown => {
		const value = piece.steps && follow(piece.steps, items[item]?.json);
		if (value === undefined) return ask();
		if (piece.isProven) return value;
		const asked = ask();
		piece.isProven = isAlike(asked, value);
		return asked;
	};
	const requireFilled = (name: string, item: number, piece: Piece, text: string) => {
		if (!gaps || !texts.includes(name)) return;
		const what = findGap(text, piece, items[item]?.json ?? {});
		if (what === undefined) return;
		const option = 'options.allowEmptyFields';
		if (fields.has(option) && allowEmptyFields.read(readField(option, item))) return;
		const field = name.replace('options.', '');
		throw describeGap(context, { field, code: piece.code, what }, item, gaps.hasOption);
	};
	const readPart = (name: string, item: number, part: string | Piece): string => {
		if (typeof part === 'string') return part;
		const text = toText(readPiece(part, item, () => evaluate(name, item, part.code)));
		requireFilled(name, item, part, text);
		return text;
	};
	const readField: ReadField = (name, item, otherwise) => {
		const field = fields.get(name) ?? { parts: [], isFixed: true };
		fields.set(name, field);
		const ask = () => context.getNodeParameter(name, item, otherwise);
		if (field.isFixed) return (field.value ??= { of: ask() }).of;
		const [piece, ...others] = field.parts;
		if (others.length > 0) return field.parts.map((part) => readPart(name, item, part)).join('');
		if (typeof piece !== 'object') return ask();
		const value = readPiece(piece, item, ask);
		// What is empty as a whole, its own reader rejects.
		if (typeof value === 'string' && !isBlank(value)) requireFilled(name, item, piece, value);
		return value;
	};
	return readField;
}
