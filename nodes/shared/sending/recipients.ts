import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../input/InputError';
import { normalizePhoneNumber, parseRecipients, startsWithOneOf } from '../input/number';
import type { SendValues } from './draft';

export type RecipientValues = Pick<SendValues, 'allowedCountryCodes'>;

/** The phone number of an entry of To in the form to send. @throws InputError */
export function toRecipient(
	entry: unknown,
	{ allowedCountryCodes: codes }: RecipientValues,
): string {
	const number = normalizePhoneNumber(entry, 'to', codes);
	if (!codes || startsWithOneOf(number, codes)) return number;
	throw new InputError(
		'allowedCountryCodes',
		'Numbers in this country are not allowed',
		`To send to this number, add its country code to Allowed Country Codes (${codes.join(', ')}).`,
		{ value: number },
	);
}

/** The phone number of a node that waits for one message. @throws InputError */
export function readRecipient(value: unknown, values: RecipientValues): string {
	const [entry, ...others] = parseRecipients(value);
	if (others.length === 0) return toRecipient(entry, values);
	throw new InputError(
		'to',
		'To contains several numbers, but this node sends one message',
		'Enter one number. For several, use one item per number, and this node in a sub-workflow.',
	);
}

/** A column that was dragged into the option reads the row that belongs to the item. @throws InputError */
export function requireWholeList(context: IExecuteFunctions): void {
	const { doNotSendTo: written } = Object(context.getNode().parameters.options) as IDataObject;
	const [, code, read, source, , node] =
		/^=.*\{\{\s*(.*?((\$\((['"])(.+?)\4\))\.item)\b.*?)\s*\}\}/s.exec(String(written)) ?? [];
	if (code === undefined) return;
	const rows = Number(context.evaluateExpression(`{{ ${source}.all().length }}`, 0));
	if (rows < 2) return;
	const filled = `${source}.all().filter((row) => Object.keys(row.json).length)`;
	const list = `${filled}.map((row) => ${code.replaceAll(read, 'row')})`;
	throw new InputError(
		'doNotSendTo',
		`Do Not Send To reads one row of '${node}', which has ${rows}`,
		`Use {{ ${list} }} to skip all of them.`,
		{ isOfRun: true },
	);
}
