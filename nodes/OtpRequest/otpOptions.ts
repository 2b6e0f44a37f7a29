import { allowedCountryCodes } from '../shared/fields/campaignOptions';
import {
	choiceOption,
	numberOption,
	option,
	optionalText,
	type ValuesOf,
} from '../shared/fields/option';
import { timeout } from '../shared/fields/requestOptions';
import { readCountryCodes } from '../shared/validation/country';
import { homeCountryCode } from '../shared/validation/recipient';
import { requireTemplate } from '../shared/validation/text';

export type Channel = 'automatic' | 'sms' | 'email';

export const mostPerHour = 100_000;

const perProcess =
	'Counted in this n8n process: a restart forgets, and each worker counts for itself.';

function between(minValue: number, maxValue: number) {
	return { type: 'number', typeOptions: { minValue, maxValue, numberPrecision: 0 } } as const;
}

/** The limits of the specification ("Limits") are those of `ttl`, `pinLength` and `maxInvalidAttempts`. */
export const otpOptions = {
	allowedCountryCodes: option(
		{
			...allowedCountryCodes.property,
			description:
				'Countries whose numbers get codes by SMS, with commas between them. Without this option, that is 95 alone: numbers that start with 09, 959 or +959. E-mail addresses are not affected.',
		},
		[homeCountryCode],
		readCountryCodes,
	),
	channel: choiceOption<Channel>(
		{
			displayName: 'Channel',
			name: 'channel',
			type: 'options',
			options: [
				{
					name: 'Automatic',
					value: 'automatic',
					description: 'By e-mail when To is an e-mail address, otherwise by SMS',
				},
				{ name: 'E-Mail', value: 'email', description: 'To must be an e-mail address' },
				{ name: 'SMS', value: 'sms', description: 'To must be a mobile number' },
			],
			default: 'automatic',
			description:
				'How the code is sent. Choose one, so that a form for numbers takes no e-mail address, and the other way round.',
		},
		'automatic',
	),
	pinLength: numberOption(
		{
			displayName: 'Code Length',
			name: 'pinLength',
			...between(4, 8),
			default: 6,
			description:
				'How many characters the code has, from 4 to 8. Without this option, the service decides.',
		},
		undefined,
	),
	maxInvalidAttempts: numberOption(
		{
			displayName: 'Max Invalid Attempts',
			name: 'maxInvalidAttempts',
			...between(1, 10),
			default: 5,
			description:
				'How many wrong codes may be tried, from 1 to 10. After that the code is invalid, and a new one has to be requested. Without this option, the service decides.',
		},
		undefined,
	),
	maxPerHour: numberOption(
		{
			displayName: 'Most Codes in All per Hour',
			name: 'maxPerHour',
			...between(0, mostPerHour),
			default: 0,
			description: `How many codes this node may send within an hour, to all recipients together. 0 means that there is no limit. ${perProcess}`,
		},
		0,
	),
	maxPerRecipient: numberOption(
		{
			displayName: 'Most Codes per Recipient',
			name: 'maxPerRecipient',
			...between(0, 100),
			default: 5,
			description: `How many codes one number or address may get from this node within 10 minutes. 0 means that there is no limit. Without this option it is 5. ${perProcess}`,
		},
		5,
	),
	// No longer than the window in which codes are counted.
	pauseSeconds: numberOption(
		{
			displayName: 'Pause Between Codes (Seconds)',
			name: 'pauseSeconds',
			...between(0, 600),
			default: 30,
			description:
				'How long the same number or address has to wait for another code from this node. Without this option it is 30.',
		},
		30,
	),
	template: optionalText(
		{
			displayName: 'Template',
			name: 'template',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. {code} is your {brand} code',
			description:
				'Your own text of the message. It must hold {code}, and may hold {brand}. For e-mail, simple HTML tags can be used. Leave empty for the text of the service.',
		},
		requireTemplate,
	),
	timeout,
	ttl: numberOption(
		{
			displayName: 'Valid For (Seconds)',
			name: 'ttl',
			...between(60, 3600),
			default: 300,
			description:
				'How long the code can be used, from 60 to 3600 seconds. Without this option, the service decides.',
		},
		undefined,
	),
};

export type OtpOptions = ValuesOf<typeof otpOptions>;
