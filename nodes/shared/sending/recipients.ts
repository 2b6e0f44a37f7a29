import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { declareError } from '../input/InputError';
import { startsWithOneOf } from '../input/number';
import { normalizePhoneNumber, parseRecipients, toRecipientKey } from '../input/recipient';
import type { SendValues } from './draft';

export type RecipientValues = Pick<SendValues, 'allowedCountryCodes'>;

const forbiddenCountry = declareError(
	'Numbers in this country are not allowed: <value>',
	'To send to this number, add its country code to Allowed Country Codes (<codes>).',
);

/** @param numbers as `normalizePhoneNumber` returns them */
function requireAllowedCountries(numbers: string[], codes: string[]): void {
	const other = numbers.find((number) => !startsWithOneOf(number, codes));
	if (other === undefined) return;
	throw forbiddenCountry('allowedCountryCodes', { value: other, codes: codes.join(', ') });
}

/**
 * The phone numbers of an item in the form to send. One invalid or disallowed number rejects the whole item.
 * @throws InputError
 */
export function readRecipients(
	value: unknown,
	{ allowedCountryCodes: codes }: RecipientValues,
): string[] {
	const numbers = parseRecipients(value).map((entry) => normalizePhoneNumber(entry, 'to', codes));
	if (codes) requireAllowedCountries(numbers, codes);
	return numbers;
}

/** Why a recipient is skipped. */
export type SkipReason = 'duplicate' | 'optedOut';

/** Values of the options that skip recipients. */
export interface SkipValues {
	skipDuplicates: boolean;
	/** As `toRecipientKey` returns the numbers. */
	doNotSendTo: ReadonlySet<string>;
}

/** A message to a recipient, and whether it was or may have been sent. */
export interface Candidate {
	to: string;
	isBegun: boolean;
}

/**
 * Why each message of a run is skipped; `undefined` for those that are not. Of several to one number, those that were
 * begun in an earlier attempt count, or the first.
 */
export function findSkipReasons(
	{ skipDuplicates, doNotSendTo }: SkipValues,
	messages: Candidate[],
): Array<SkipReason | undefined> {
	if (!skipDuplicates && doNotSendTo.size === 0) return [];
	const begun = messages.filter(({ isBegun }) => isBegun);
	const taken = new Set(begun.map(({ to }) => toRecipientKey(to)));
	return messages.map(({ to, isBegun }) => {
		const key = toRecipientKey(to);
		if (doNotSendTo.has(key)) return 'optedOut';
		if (!skipDuplicates || isBegun) return undefined;
		if (taken.has(key)) return 'duplicate';
		taken.add(key);
		return undefined;
	});
}

const oneRow = declareError(
	"Do Not Send To reads one row of '<node>', which has <rows>",
	'Use {{ <list> }} to skip all of them.',
);

/** A column that was dragged into the option reads the row that belongs to the item. @throws InputError */
export function requireWholeList(context: IExecuteFunctions): void {
	const { doNotSendTo: written } = Object(context.getNode().parameters.options) as IDataObject;
	if (typeof written !== 'string' || !written.startsWith('=')) return;
	const [read, source, , node] = /(\$\((['"])(.+?)\2\))\.item\b/.exec(written) ?? [];
	if (read === undefined) return;
	const rows = Number(context.evaluateExpression(`{{ ${source}.all().length }}`, 0));
	if (rows < 2) return;
	const [, code = `${read}.json.phone`] = /^=\s*\{\{\s*(.*?)\s*\}\}\s*$/s.exec(written) ?? [];
	const list = `${source}.all().map((row) => ${code.replaceAll(read, 'row')})`;
	throw oneRow('doNotSendTo', { node, rows, list }).ofRun();
}
