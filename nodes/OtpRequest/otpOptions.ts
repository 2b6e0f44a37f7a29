import { allowedCountryCodes } from '../shared/fields/safeguards';
import {
	choiceOption,
	numberOption,
	option,
	optionalText,
	safeguard,
	type ValuesOf,
} from '../shared/fields/option';
import { timeout } from '../shared/fields/requestOptions';
import { readCountryCodes } from '../shared/validation/country';
import { homeCountryCode } from '../shared/validation/recipient';
import { requireTemplate } from '../shared/validation/text';

export type Channel = 'automatic' | 'sms' | 'email';

export const mostPerHour = 100_000;

function between(minValue: number, maxValue: number) {
	return { type: 'number', typeOptions: { minValue, maxValue, numberPrecision: 0 } } as const;
}

/** The ranges of `ttl`, `pinLength` and `maxInvalidAttempts` are from the specification ("Limits"). */
export const otpOptions = {
	allowedCountryCodes: safeguard(
		option(
			{
				...allowedCountryCodes.property,
				description:
					'Countries whose numbers can get codes by SMS, such as 95, 65; email is not affected. Remove this option to allow only 95.',
			},
			[homeCountryCode],
			readCountryCodes,
		),
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
					description: 'By email when To is an email address, otherwise by SMS',
				},
				{ name: 'Email', value: 'email', description: 'To must be an email address' },
				{ name: 'SMS', value: 'sms', description: 'To must be a mobile number' },
			],
			default: 'automatic',
			description:
				'How the code is sent. Choose SMS or Email to reject recipients of the other kind, for example in a form that asks for a number.',
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
				'Number of digits in the code, from 4 to 8. Remove this option to use the default of the service.',
		},
		undefined,
	),
	maxPerHour: safeguard(
		numberOption(
			{
				displayName: 'Max Codes per Hour',
				name: 'maxPerHour',
				...between(0, mostPerHour),
				default: 300,
				description:
					'Max codes in an hour for all recipients together, in each n8n process; with 0, many numbers can use up your balance. Remove this option for 300.',
			},
			300,
		),
	),
	maxPerRecipient: safeguard(
		numberOption(
			{
				displayName: 'Max Codes per Recipient',
				name: 'maxPerRecipient',
				...between(0, 100),
				default: 5,
				description:
					'How many codes one phone number or email address can get in 10 minutes from each n8n process; 0 means no limit. Remove this option for 5.',
			},
			5,
		),
	),
	maxPerRecipientPerDay: safeguard(
		numberOption(
			{
				displayName: 'Max Codes per Recipient per Day',
				name: 'maxPerRecipientPerDay',
				...between(0, 1000),
				default: 20,
				description:
					'How many codes one phone number or email address can get in 24 hours from each n8n process; 0 means no limit. Remove this option for 20.',
			},
			20,
		),
	),
	maxInvalidAttempts: numberOption(
		{
			displayName: 'Max Invalid Attempts',
			name: 'maxInvalidAttempts',
			...between(1, 10),
			default: 5,
			description:
				'Max number of wrong entries per code, from 1 to 10. Remove this option to use the default of the service.',
		},
		undefined,
	),
	// At most the window in which codes are counted.
	pauseSeconds: safeguard(
		numberOption(
			{
				displayName: 'Pause Between Codes (Seconds)',
				name: 'pauseSeconds',
				...between(0, 600),
				default: 30,
				description:
					'How long a phone number or email address must wait for its next code from this node. 0 means no pause. Remove this option for 30.',
			},
			30,
		),
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
				'Your own text with {code} and optionally {brand}; emails may use simple HTML tags. Leave empty for the text of the service.',
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
				'How long the code can be used, from 60 to 3600 seconds. Remove this option to use the default of the service.',
		},
		undefined,
	),
};

export type OtpOptions = ValuesOf<typeof otpOptions>;
