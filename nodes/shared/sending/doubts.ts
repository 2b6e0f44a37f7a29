import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { stepsOf } from '../n8n/emptyExpression';
import type { Planned } from './readPlan';
import { listParts } from './readTexts';

/** What a dry run warns of: texts that are valid, and probably not meant. */

/** Placeholders of other systems, and words of a program. */
const doubtful =
	/\*\|\w+\|\*|\$\{[\w .]+\}|\{[A-Za-z][\w ]*\}|\[[A-Za-z][\w ]*\]|#[A-Z][A-Z_]+#|<<[\w ]+>>|%[A-Z][A-Z_]+%|\b(?:undefined|null|NaN)\b/;

const hint = (message: string): NodeExecutionHint => ({ message, location: 'outputPane' });

function describeDoubtful(planned: Planned[]): NodeExecutionHint[] {
	const found = planned.flatMap(({ draft }) => doubtful.exec(draft?.request.message ?? '') ?? []);
	if (found.length === 0) return [];
	const words = [...new Set(found)].slice(0, 3).join(', ');
	const texts = found.length === 1 ? '1 text contains' : `${found.length} texts contain`;
	return [hint(`${texts} ${words}. People will read this as it is: n8n fills in only {{ }}.`)];
}

const dayOf1970 = 25_569;
/** Ten years around today. */
const nearDays = 3_653;

/** Shows a day or a time of day as Excel stores it, or nothing for other values. */
function describeSerial(value: unknown, today: number): string | undefined {
	const text = String(value).trim();
	const serial = /^\d{0,5}\.?\d+$/.test(text) ? Number(text) : NaN;
	const moment = DateTime.fromMillis(Math.round((serial - dayOf1970) * 86_400) * 1000, {
		zone: 'utc',
	});
	if (serial > 0 && serial < 1) return moment.toFormat('HH:mm');
	if (!(Math.abs(serial - today) < nearDays)) return undefined;
	return moment.toFormat(Number.isInteger(serial) ? 'd MMM yyyy' : 'd MMM yyyy HH:mm');
}

function readPath(json: IDataObject, steps: string[]): unknown {
	return steps.reduce<unknown>((value, step) => Object(value)[step] as unknown, json);
}

/** Columns of Message that hold nothing but days or times as Excel stores them. */
function describeSerials(context: IExecuteFunctions): NodeExecutionHint[] {
	const { message } = context.getNode().parameters;
	if (typeof message !== 'string' || !message.startsWith('=')) return [];
	const today = Date.now() / 86_400_000 + dayOf1970;
	return listParts(message.slice(1)).flatMap((part) => {
		const steps = typeof part === 'string' ? undefined : stepsOf(part.code);
		if (!steps) return [];
		const values = context.getInputData().map(({ json }) => readPath(json, steps));
		const shown = values.map((value) => describeSerial(value, today));
		if (shown.length === 0 || shown.includes(undefined)) return [];
		const [name, example] = [steps.join('.'), `${String(values[0])} = ${shown[0]}`];
		const column = `(($json[${JSON.stringify(steps[0])}] - ${dayOf1970}) * 86400000)`;
		const format = Number(values[0]) < 1 ? 'HH:mm' : 'd MMM yyyy';
		return [
			hint(
				`${name} looks like dates or times of Excel: ${example}. People would read the number. Use {{ DateTime.fromMillis(Math.round${column}, { zone: 'utc' }).toFormat('${format}') }}`,
			),
		];
	});
}

export function describeDoubts(
	context: IExecuteFunctions,
	planned: Planned[],
): NodeExecutionHint[] {
	return [...describeSerials(context), ...describeDoubtful(planned)];
}
