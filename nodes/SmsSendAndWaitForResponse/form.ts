import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isEmptyValue } from '../shared/fields/option';
import type { ReadField } from '../shared/fields/readParameters';
import { declareError } from '../shared/validation/InputError';
import { requireText } from '../shared/validation/text';
import type { PageTexts } from './pageTexts';
import type { Form, ResponseType } from './question';

const longestLabel = 60;
const longestChoice = 100;
const choicesAllowed = { least: 2, most: 10 };

/** Fields of the form. Names and values follow n8n's own send-and-wait nodes. */
export const formProperties: INodeProperties[] = [
	{
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
	},
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
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve and Decline', value: 'double' },
						],
						default: 'double',
						description: 'Which buttons the page has',
					},
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

const unknownType = declareError(
	'<value> is not valid for Response Type',
	'Choose from the list. An expression can return approval, choice or freeText.',
);
const unknownApproval = declareError(
	'<value> is not valid for Type of Approval',
	'Choose from the list. An expression can return single or double.',
);
const choicesHint = 'Enter <least> to <most> different lines, each with the label of a button.';
const wrongCount = declareError('Choices has <count>', choicesHint);
const sameLines = declareError('Choices has the same line twice', choicesHint);

const values: ResponseType[] = ['approval', 'choice', 'freeText'];

function readResponseType(value: unknown): ResponseType {
	const found = values.find((one) => one === value);
	if (found) return found;
	throw unknownType('responseType', { value });
}

function readLabel(value: unknown, label: string, otherwise: string): string {
	if (isEmptyValue(value)) return otherwise;
	return requireText(value, 'approvalOptions', label, longestLabel).trim();
}

function readApproval(value: unknown, { approve, decline }: PageTexts): Form['buttons'] {
	const { values: given = {} } = (value ?? {}) as { values?: IDataObject };
	const { approvalType = 'double', approveLabel, disapproveLabel } = given;
	if (approvalType !== 'single' && approvalType !== 'double')
		throw unknownApproval('approvalOptions', { value: approvalType });
	const yes = { value: 'approve', label: readLabel(approveLabel, 'Approve Button Label', approve) };
	if (approvalType === 'single') return [yes];
	const no = readLabel(disapproveLabel, 'Decline Button Label', decline);
	return [yes, { value: 'decline', label: no }];
}

function readChoices(value: unknown): Form['buttons'] {
	const lines: unknown[] = typeof value === 'string' ? value.split('\n') : [value].flat();
	const given = lines.filter((entry) => !isEmptyValue(entry));
	const labels = given.map((entry) =>
		requireText(entry, 'choices', 'A line of Choices', longestChoice).trim(),
	);
	const { least, most } = choicesAllowed;
	const isCountRight = labels.length >= least && labels.length <= most;
	if (isCountRight && new Set(labels).size === labels.length)
		return labels.map((label, index) => ({ value: String(index), label }));
	const count = labels.length === 1 ? '1 line' : `${labels.length} lines`;
	if (!isCountRight) throw wrongCount('choices', { count, least, most });
	throw sameLines('choices', { least, most });
}

/** Reads and validates what the page asks. @throws InputError */
export function readForm(
	readField: ReadField,
	item: number,
	{ texts, message, isReview }: { texts: PageTexts; message: string; isReview: boolean },
): Form {
	const responseType = readResponseType(readField('responseType', item));
	const readButtons = {
		approval: () => readApproval(readField('approvalOptions', item, {}), texts),
		choice: () => readChoices(readField('choices', item, {})),
		freeText: () => [{ value: 'send', label: texts.send }],
	};
	const buttons = readButtons[responseType]();
	const asksReason = isReview && buttons.some(({ value }) => value === 'decline');
	return { responseType, message, buttons, asksReason, texts };
}
