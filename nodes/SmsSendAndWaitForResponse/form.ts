import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { findChoice, isEmptyValue } from '../shared/options/option';
import type { ReadField } from '../shared/options/fields';
import { refuse } from '../shared/input/InputError';
import { requireText } from '../shared/input/text';
import { fieldNames, longestResponse, pageTexts } from './page';
import type { Form, Language, ResponseType } from './page';

const longestLabel = 60;
const longestChoice = 100;
const choicesAllowed = { least: 2, most: 10 };

const responseType: INodeProperties = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Approve or decline with a button' },
		{ name: 'Choice', value: 'choice', description: 'Press one of several buttons' },
		{ name: 'Free Text', value: 'freeText', description: 'Type a text' },
	],
	default: 'approval',
	description: 'How the person responds on the page that the SMS links to',
};

const approvalType: INodeProperties = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	options: [
		{ name: 'Approve Only', value: 'single' },
		{ name: 'Approve and Decline', value: 'double' },
	],
	default: 'double',
	description: 'Which buttons the page has',
};

/** Fields of the form. Names and values follow n8n's own send-and-wait nodes. */
export const formProperties: INodeProperties[] = [
	responseType,
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { responseType: ['approval'] } },
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					approvalType,
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: '',
						placeholder: 'e.g. Approve',
						description: 'Leave empty for "Approve" in the language of the page',
					},
					{
						displayName: 'Decline Button Label',
						name: 'disapproveLabel',
						type: 'string',
						displayOptions: { show: { approvalType: ['double'] } },
						default: '',
						placeholder: 'e.g. Decline',
						description: 'Leave empty for "Decline" in the language of the page',
					},
				],
			},
		],
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: "e.g. I'll take it\nCall me\nAsk someone else",
		displayOptions: { show: { responseType: ['choice'] } },
		description: 'Labels of 2 to 10 buttons, one per line',
	},
];

function readLabel(value: unknown, label: string, otherwise: string): string {
	if (isEmptyValue(value)) return otherwise;
	return requireText(value, 'approvalOptions', longestLabel, label).trim();
}

function readApproval(value: unknown, language: Language): Form['buttons'] {
	const { approve, decline } = pageTexts[language];
	const { values: given = {} } = (value ?? {}) as { values?: IDataObject };
	const { approvalType: type = 'double', approveLabel, disapproveLabel } = given;
	const yes = { value: 'approve', label: readLabel(approveLabel, 'Approve Button Label', approve) };
	if (findChoice(approvalType, type) === 'single') return [yes];
	const no = readLabel(disapproveLabel, 'Decline Button Label', decline);
	return [yes, { value: 'decline', label: no }];
}

function readLines(value: unknown): Form['buttons'] {
	const lines: unknown[] = typeof value === 'string' ? value.split('\n') : [value].flat();
	const labels = lines
		.filter((entry) => !isEmptyValue(entry))
		.map((entry) => requireText(entry, 'choices', longestChoice, 'A line of Choices').trim());
	const { least, most } = choicesAllowed;
	const hint = `Enter ${least} to ${most} different button labels, one per line.`;
	const count = labels.length === 1 ? '1 line' : `${labels.length} lines`;
	if (labels.length < least || labels.length > most) return refuse('choices', `has ${count}`, hint);
	if (new Set(labels).size < labels.length)
		return refuse('choices', 'has the same line twice', hint);
	return labels.map((label, index) => ({ value: String(index), label }));
}

/** Reads and validates what the page asks. @throws InputError */
export function readForm(
	readField: ReadField,
	{ language, message }: Pick<Form, 'language' | 'message'>,
): Form {
	const type = findChoice<ResponseType>(responseType, readField('responseType', 0));
	const readButtons = {
		approval: () => readApproval(readField('approvalOptions', 0, {}), language),
		choice: () => readLines(readField('choices', 0, {})),
		freeText: () => [{ value: 'send', label: pageTexts[language].send }],
	};
	return { responseType: type, message, buttons: readButtons[type](), language };
}

/** `data` for the output and `words` for the page, or why there are none. */
type Response = { data: IDataObject; words: string } | 'empty' | 'tooLong';

function readField(body: unknown, name: string): string {
	const isThere = typeof body === 'object' && body !== null && Object.hasOwn(body, name);
	const value = isThere ? (body as Record<string, unknown>)[name] : '';
	return typeof value === 'string' ? value : '';
}

/** Accepts only the buttons and text fields that the page has, and the exact value of a button. */
export function readResponse({ responseType, buttons }: Form, body: unknown): Response {
	const pressed = readField(body, fieldNames.button);
	const button = buttons.find(({ value }) => value === pressed);
	if (!button) return 'empty';
	if (responseType === 'choice') return { data: { choice: button.label }, words: button.label };
	if (responseType === 'freeText') return readFreeText(readField(body, fieldNames.text));
	return { data: { approved: pressed === 'approve' }, words: button.label };
}

function readFreeText(typed: string): Response {
	// Browsers post line ends as two characters, but count one.
	const lines = typed.replace(/\r\n?/g, '\n').toWellFormed();
	const text = lines.replace(/(?!\n|\t)\p{Cc}/gu, '').trim();
	if (text === '') return 'empty';
	return text.length > longestResponse ? 'tooLong' : { data: { text }, words: text };
}
