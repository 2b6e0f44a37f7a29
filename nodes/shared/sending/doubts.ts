import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { convertSerial, describeSerial } from '../input/schedule';
import { stepsOf } from '../n8n/expression';
import { textsOf, type Planned } from './planned';
import { listParts } from './readTexts';

/** Placeholders of other systems, and words of a program. */
const doubtful =
	/\*\|\w+\|\*|\$\{[\w .]+\}|\{[A-Za-z][\w ]*\}|\[[A-Za-z][\w ]*\]|#[A-Z][A-Z_]+#|<<[\w ]+>>|%[A-Z][A-Z_]+%|\b(?:undefined|null|NaN)\b/;

function describeDoubtful(planned: Planned[]): string {
	const found = textsOf(planned).flatMap((text) => doubtful.exec(text) ?? []);
	if (found.length === 0) return '';
	const words = [...new Set(found)].slice(0, 3).join(', ');
	const texts = found.length === 1 ? '1 text contains' : `${found.length} texts contain`;
	return `${texts} ${words}. People will read this as it is: n8n fills in only {{ }}.`;
}

function readPath(json: IDataObject, steps: string[]): unknown {
	return steps.reduce<unknown>((value, step) => Object(value)[step] as unknown, json);
}

/** Columns of Message that hold nothing but days or times as Excel stores them. */
function describeSerials(context: IExecuteFunctions): string[] {
	const { message } = context.getNode().parameters;
	if (typeof message !== 'string' || !message.startsWith('=')) return [];
	const now = Date.now();
	return listParts(message).flatMap((part) => {
		const steps = typeof part === 'string' ? undefined : stepsOf(part.code);
		if (!steps) return [];
		const values = context.getInputData().map(({ json }) => readPath(json, steps));
		const all = values.map((value) => describeSerial(value, now));
		const [first] = all;
		if (!first || all.includes(undefined)) return [];
		const field = `$json${steps.map((step) => `[${JSON.stringify(step)}]`).join('')}`;
		const example = `${String(values[0])} = ${first.shown}`;
		return [
			`${steps.join('.')} looks like dates or times of Excel: ${example}. People would read the number. Use ${convertSerial(field, first.format)}`,
		];
	});
}

/** What a dry run warns of: texts that are valid, and probably not meant. */
export function describeDoubts(context: IExecuteFunctions, planned: Planned[]): string[] {
	return [...describeSerials(context), describeDoubtful(planned)];
}
