import {
	ExpressionParser,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';

import { GapError, isOfExpression, type Piece, stepsOf } from '../n8n/expression';
import { attempt, describeValue } from '../input/InputError';
import { OptionReader } from '../options/reader';
import { createFieldReader, type ReadField } from '../options/readParameters';
import { allowEmptyFields } from '../options/limits';
import { isBlank } from '../input/text';

/** Fields whose gaps would reach people, or have a message skipped, sent, or sent at another time. */
const texts = [
	...['to', 'message', 'from'],
	...['options.clientReference', 'options.scheduledAt', 'options.doNotSendTo'],
];

/** A part of an expression as written: text, or a `{{ }}`. */
type Part = string | Piece;

/** Cuts an expression as n8n does. */
export function listParts(expression: string): Part[] {
	return ExpressionParser.splitExpression(expression).map((chunk): Part => {
		const code = ExpressionParser.joinExpression([chunk]);
		return chunk.type === 'code' && chunk.hasClosingBrackets ? { code, isFilled: false } : code;
	});
}

/** What spreadsheets write for a value that could not be computed, and programs for one that is missing. */
const noValue =
	/^(?:#(?:N\/[AD]|NV|GETTING_DATA|¡?[\p{Lu}/0]+[!?])|Err:\d{3}|null|undefined|NaN|NaT|\\N|<NA>)$/u;
const missing = /\b(?:undefined|null|NaN)\b/;

/** What a text is if it says nothing. */
function findGap(text: string): string | undefined {
	// A line break is a value: it separates lines.
	if (isBlank(text) && !text.includes('\n')) return 'empty';
	const word = text.trim();
	if (word === '[object Object]') return 'an object';
	return noValue.test(word) ? word : undefined;
}

/** What an expression has joined with a field that is missing: `"Hello undefined"`. The word may also be somebody's own. */
function findJoined(text: string, { code }: Piece, json: object): string | undefined {
	const [word] = missing.exec(text) ?? [];
	if (word === undefined || stepsOf(code)) return undefined;
	const texts = JSON.stringify(json, (_, value: unknown) => value ?? 0);
	const isOwn = code.includes(word) || texts.includes(word);
	return isOwn ? undefined : describeValue(text.trim());
}

/** What an empty text is for if it is not a result: it is replaced, joined by or compared with. */
const notResults = /\.(?:replace|replaceAll|split|join)\([^()]*\)|[=!]==?\s*(?:''|"")/g;

/** An empty text as a result of a `{{ }}` says that it is meant to be empty sometimes. */
function mayBeEmpty({ code }: Piece): boolean {
	const results = code.replace(notResults, '');
	return results.includes("''") || results.includes('""');
}

/** Private characters, which texts do not have. More than one, in case a text has some all the same. */
const marks = ['\uE000', '\uE001', '\uE002', '\uE003'];

/** An expression in a text. */
interface Template {
	parts: Part[];
	pieces: Piece[];
	/** Whether it is a single `{{ }}`, whose value n8n does not convert to text. */
	isWhole: boolean;
}

function listTemplates({ parameters }: INode): Map<string, Template> {
	const options = Object(parameters.options) as INodeParameters;
	return new Map(
		texts.flatMap((name) => {
			const [, option = ''] = name.split('.');
			const written = parameters[name] ?? options[option];
			if (typeof written !== 'string' || !written.startsWith('=')) return [];
			const parts = listParts(written.slice(1)).filter((part) => part !== '');
			const pieces = parts.filter((part) => typeof part !== 'string');
			return [[name, { parts, pieces, isWhole: parts.length < 2 }] as const];
		}),
	);
}

/**
 * Evaluates an expression once, with a mark around each `{{ }}`, so that the result shows what each one returned.
 * Without the marks, it is n8n's own text to the letter. `undefined` if it has all of them.
 */
function evaluateParts(
	{ parts, pieces }: Template,
	evaluate: (expression: string) => unknown,
): { text: string; values: string[] } | undefined {
	for (const mark of marks) {
		const marked = parts.map((part) => (typeof part === 'string' ? part : mark + part.code + mark));
		const read = String(evaluate(marked.join(''))).split(mark);
		if (read.length === 2 * pieces.length + 1)
			return { text: read.join(''), values: read.filter((_, index) => index % 2 === 1) };
	}
	return undefined;
}

/** n8n names the parameter in the error of an expression, but not where a node evaluates it. */
function evaluateFor(context: IExecuteFunctions, name: string, item: number) {
	return (expression: string): unknown => {
		const result = attempt(() => context.evaluateExpression(expression, item));
		if ('value' in result) return result.value;
		if (isOfExpression(result.error)) result.error.context.parameter = name;
		throw result.error;
	};
}

/**
 * Reads the fields of a node that sends. A `{{ }}` without a value in one of `texts` is an error, unless the option
 * Allow Empty Fields is on.
 * @param hasOption whether the node has this option
 * @throws InputError from the reader
 */
export function createTextReader(context: IExecuteFunctions, hasOption = true): ReadField {
	const templates = listTemplates(context.getNode());
	let options: OptionReader<{ allowEmptyFields: typeof allowEmptyFields }> | undefined;
	const isAllowed = (item: number) =>
		(options ??= OptionReader.of(context, { allowEmptyFields })).read(item).allowEmptyFields;
	const requireFilled = (name: string, item: number, pieces: Piece[], values: string[]) => {
		const json = context.getInputData()[item]?.json ?? {};
		const gaps = values.map(
			(text, index) => findGap(text) ?? findJoined(text, pieces[index], json),
		);
		for (const [index, piece] of pieces.entries()) piece.isFilled ||= gaps[index] === undefined;
		const wrong = gaps.findIndex(
			(what, index) => what !== undefined && !(what === 'empty' && mayBeEmpty(pieces[index])),
		);
		const what = gaps[wrong];
		if (what === undefined) return;
		const field = name.replace('options.', '');
		if (!isAllowed(item)) throw new GapError(field, pieces[wrong], what, hasOption);
	};
	const readField = createFieldReader(context, (name, item) => {
		const template = templates.get(name);
		if (!template || template.isWhole) return undefined;
		const read = evaluateParts(template, evaluateFor(context, name, item));
		if (read) requireFilled(name, item, template.pieces, read.values);
		return read?.text;
	});
	return (name, item, otherwise) => {
		const value = readField(name, item, otherwise);
		const { isWhole, pieces } = templates.get(name) ?? {};
		// What is empty as a whole, its own reader rejects.
		if (isWhole && pieces && typeof value === 'string' && !isBlank(value))
			requireFilled(name, item, pieces, [value]);
		return value;
	};
}
