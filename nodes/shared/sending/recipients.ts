import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { declareError } from '../input/InputError';
import { normalizePhoneNumber, parseRecipients, startsWithOneOf } from '../input/number';
import type { SendValues } from './draft';

export type RecipientValues = Pick<SendValues, 'allowedCountryCodes'>;

const forbiddenCountry = declareError(
	'Numbers in this country are not allowed: <value>',
	'To send to this number, add its country code to Allowed Country Codes (<codes>).',
);

/**
 * The phone numbers of an item in the form to send. One invalid or disallowed number rejects the whole item.
 * @throws InputError
 */
export function readRecipients(
	value: unknown,
	{ allowedCountryCodes: codes }: RecipientValues,
): string[] {
	const numbers = parseRecipients(value).map((entry) => normalizePhoneNumber(entry, 'to', codes));
	const other = codes && numbers.find((number) => !startsWithOneOf(number, codes));
	if (!codes || other === undefined) return numbers;
	throw forbiddenCountry('allowedCountryCodes', { value: other, codes: codes.join(', ') });
}

const severalNumbers = declareError(
	'To contains several numbers, but this node sends one message',
	'Enter one number. For several, use one item per number, and this node in a sub-workflow.',
);

/** The phone number of a node that waits for one message. @throws InputError */
export function readRecipient(value: unknown, values: RecipientValues): string {
	const [number, ...others] = readRecipients(value, values);
	if (others.length === 0) return number;
	throw severalNumbers('to');
}

const oneRow = declareError(
	"Do Not Send To reads one row of '<node>', which has <rows>",
	'Use {{ <list> }} to skip all of them.',
);

/** A column that was dragged into the option reads the row that belongs to the item. @throws InputError */
export function requireWholeList(context: IExecuteFunctions): void {
	const { doNotSendTo: written } = Object(context.getNode().parameters.options) as IDataObject;
	const [, code, read, source, , node] =
		/^=.*\{\{\s*(.*?((\$\((['"])(.+?)\4\))\.item)\b.*?)\s*\}\}/s.exec(String(written)) ?? [];
	if (code === undefined) return;
	const rows = Number(context.evaluateExpression(`{{ ${source}.all().length }}`, 0));
	if (rows < 2) return;
	const list = `${source}.all().map((row) => ${code.replaceAll(read, 'row')})`;
	throw oneRow('doNotSendTo', { node, rows, list }).ofRun();
}
