import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { option, optionalText } from '../shared/fields/option';
import { describeValue, InputError } from '../shared/validation/InputError';
import { requireText } from '../shared/validation/text';
import { burmese, english, type PageTexts } from './pageTexts';

const longestTitle = 100;
const longestText = 500;

export const pageTitle = optionalText(
	{
		displayName: 'Page Title',
		name: 'pageTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Refund of order 1234',
		description: 'Heading of the page. Leave empty for "Your response is needed".',
	},
	(value) => requireText(value, 'pageTitle', 'Page Title', longestTitle),
);

export const confirmationText = optionalText(
	{
		displayName: 'Confirmation Text',
		name: 'confirmationText',
		type: 'string',
		default: '',
		placeholder: 'e.g. Thank you. The customer is being informed.',
		description: 'What the page says after the response. Leave empty for the default text.',
	},
	(value) => requireText(value, 'confirmationText', 'Confirmation Text', longestText),
);

const labels: Record<keyof PageTexts, string> = {
	languageCode: 'Language Code',
	title: 'Title',
	approve: 'Approve',
	decline: 'Decline',
	reason: 'Reason',
	response: 'Response',
	send: 'Send',
	recorded: 'Recorded',
	answered: 'Already Answered',
	closed: 'Closed',
	failed: 'Error',
	tooLong: 'Too Long',
	empty: 'Empty',
};

const names = Object.keys(labels) as Array<keyof PageTexts>;

function ownText(name: keyof PageTexts, displayName: string, english: string): INodeProperties {
	const displayOptions = { show: { language: ['own'] } };
	return { displayName, name, type: 'string', displayOptions, default: english };
}

function rejectLanguage(reason: string, hint: string): never {
	throw new InputError('pageLanguage', `Page Language ${reason}`, hint);
}

function readOwnTexts(values: IDataObject): PageTexts {
	const texts = { ...english };
	for (const name of names) {
		const label = `${labels[name]} in Page Language`;
		const given = values[name] ?? english[name];
		texts[name] = requireText(given, 'pageLanguage', label, longestText).trim();
	}
	const { languageCode: code } = texts;
	return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code)
		? texts
		: rejectLanguage(`has no language ${describeValue(code)}`, 'Use a code such as th or zh-Hant.');
}

export const pageLanguage = option<PageTexts>(
	{
		displayName: 'Page Language',
		name: 'pageLanguage',
		type: 'fixedCollection',
		default: { values: { language: 'en' } },
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Language',
						name: 'language',
						type: 'options',
						options: [
							{ name: 'Burmese', value: 'my' },
							{ name: 'English', value: 'en' },
							{ name: 'Own Texts', value: 'own' },
						],
						default: 'en',
						description: 'Language of the page and of its default labels',
					},
					...names.map((name) => ownText(name, labels[name], english[name])),
				],
			},
		],
		description: 'What the page says beside your message. Remove this option for English.',
	},
	english,
	(value) => {
		const { values = {} } = value as { values?: IDataObject };
		const { language = 'en' } = values;
		if (language === 'own') return readOwnTexts(values);
		if (language === 'my') return burmese;
		return language === 'en'
			? english
			: rejectLanguage(`has no option ${describeValue(language)}`, 'Use en, my or own.');
	},
);
