import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { option, optionalText } from '../shared/options/option';
import { declareError } from '../shared/input/InputError';
import { requireText } from '../shared/input/text';

/** Texts of the page in one language. */
export interface PageTexts {
	/** Such as `en`. */
	languageCode: string;
	/** Heading of the question. */
	title: string;
	approve: string;
	decline: string;
	/** Label of the field for free text. */
	response: string;
	send: string;
	recordedTitle: string;
	recorded: string;
	/** Shown above the earlier response. */
	answered: string;
	closedTitle: string;
	closed: string;
	/** Of an internal error, which decides nothing. */
	failed: string;
	tooLong: string;
	empty: string;
}

export const english: PageTexts = {
	languageCode: 'en',
	title: 'Your response is needed',
	approve: 'Approve',
	decline: 'Decline',
	response: 'Your response',
	send: 'Send',
	recordedTitle: 'Response recorded',
	recorded: 'Your response was recorded. You can close this page.',
	answered: 'This question was already answered:',
	closedTitle: 'Question closed',
	closed: 'This question is closed. Nothing was recorded.',
	failed: 'Something went wrong. Open the link again in a minute.',
	tooLong: 'Nothing was recorded: the text is too long. Use at most 2000 characters.',
	empty: 'Nothing was recorded yet: fill in your response and press the button again.',
};

export const burmese: PageTexts = {
	languageCode: 'my',
	title: 'သင့်အဖြေ လိုအပ်ပါသည်',
	approve: 'အတည်ပြုမည်',
	decline: 'ငြင်းပယ်မည်',
	response: 'သင့်အဖြေ',
	send: 'ပေးပို့မည်',
	recordedTitle: 'အဖြေ မှတ်တမ်းတင်ပြီးပါပြီ',
	recorded: 'သင့်အဖြေကို မှတ်တမ်းတင်ပြီးပါပြီ။ ဤစာမျက်နှာကို ပိတ်နိုင်ပါသည်။',
	answered: 'ဤမေးခွန်းကို ဖြေကြားပြီး ဖြစ်ပါသည် -',
	closedTitle: 'မေးခွန်း ပိတ်ထားပါသည်',
	closed: 'ဤမေးခွန်းကို ပိတ်ထားပါသည်။ မည်သည့်အဖြေကိုမျှ မှတ်တမ်းမတင်ပါ။',
	failed: 'တစ်ခုခု မှားယွင်းသွားပါသည်။ တစ်မိနစ်အကြာတွင် လင့်ခ်ကို ထပ်ဖွင့်ပါ။',
	tooLong: 'အဖြေကို မှတ်တမ်းမတင်ရသေးပါ။ စာ ရှည်လွန်းပါသည်။ စာလုံး ၂၀၀၀ ထက် မပိုရပါ။',
	empty: 'အဖြေကို မှတ်တမ်းမတင်ရသေးပါ။ အဖြေ ဖြည့်ပြီး ခလုတ်ကို ထပ်နှိပ်ပါ။',
};

const rightToLeft = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

export function directionOf(language: string): 'ltr' | 'rtl' {
	return rightToLeft.test(language) ? 'rtl' : 'ltr';
}

const longestTitle = 100;
const longestText = 500;

export const pageTitle = optionalText(
	{
		displayName: 'Page Title',
		name: 'pageTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Refund of order 1234',
		description: 'Heading above the question. Leave empty for "Your response is needed".',
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

/** Label and description of each text. */
const labels: Record<keyof PageTexts, [label: string, description: string]> = {
	languageCode: ['Language Code', 'Code of the language, such as th or zh-Hant'],
	title: ['Heading', 'Shown above the question, unless Page Title is set'],
	approve: ['Approve Button', 'Label of the button that approves'],
	decline: ['Decline Button', 'Label of the button that declines'],
	response: ['Response Label', 'Label of the field for free text'],
	send: ['Send Button', 'Label of the button that sends free text'],
	recordedTitle: ['Heading After Response', 'Shown once the response was recorded'],
	recorded: ['Text After Response', 'Shown below that heading, unless Confirmation Text is set'],
	answered: ['Text When Already Answered', 'Shown above the response that someone else gave'],
	closedTitle: ['Heading When Closed', 'Shown when the question was answered or has expired'],
	closed: ['Text When Closed', 'Shown when the question has expired'],
	failed: ['Text After an Error', 'Shown when the page could not be loaded'],
	tooLong: ['Text When Too Long', 'Shown when the response has more than 2000 characters'],
	empty: ['Text When Nothing Entered', 'Shown when the response is empty'],
};

const names = Object.keys(labels) as Array<keyof PageTexts>;

function ownText(name: keyof PageTexts): INodeProperties {
	const [displayName, description] = labels[name];
	const text = english[name];
	const displayOptions = { show: { language: ['own'] } };
	return { displayName, name, type: 'string', displayOptions, default: text, description };
}

const notACode = declareError(
	'<value> is not a language code',
	'Use a code such as th or zh-Hant.',
);
const unknownLanguage = declareError(
	'<value> is not valid for Page Language',
	'Use en, my or own.',
);

function readOwnTexts(values: IDataObject): PageTexts {
	const texts = { ...english };
	for (const name of names) {
		const label = `${labels[name][0]} in Page Language`;
		const given = values[name] ?? english[name];
		texts[name] = requireText(given, 'pageLanguage', label, longestText).trim();
	}
	const { languageCode: code } = texts;
	if (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code)) return texts;
	throw notACode('pageLanguage', { value: code });
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
							{ name: 'Custom Texts', value: 'own' },
						],
						default: 'en',
						description: 'Language of the page and of its default labels',
					},
					...names.map(ownText),
				],
			},
		],
		description: 'Language of everything on the page except your message',
	},
	english,
	(value) => {
		const { values = {} } = value as { values?: IDataObject };
		const { language = 'en' } = values;
		if (language === 'own') return readOwnTexts(values);
		if (language === 'my') return burmese;
		if (language === 'en') return english;
		throw unknownLanguage('pageLanguage', { value: language });
	},
);
