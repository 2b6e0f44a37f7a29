import { choiceOption, numberOption, option, optionalText } from '../shared/options/option';
import type { ValuesOf } from '../shared/options/option';
import { allowedCountryCodes, timeout } from '../shared/options/limits';
import { homeCountryCode, readCountryCodes } from '../shared/input/number';
import { requireTemplate } from '../shared/input/text';
import { limitOptions, type Limits } from './limits';

export type OtpChannel = 'automatic' | 'sms' | 'email';

function between(minValue: number, maxValue: number) {
	return { type: 'number', typeOptions: { minValue, maxValue, numberPrecision: 0 } } as const;
}

function codeLimit(name: keyof Limits) {
	const { label: displayName, description, whenAbsent, most } = limitOptions[name];
	const property = {
		...{ displayName, name, ...between(0, most), default: whenAbsent },
		description: `${description}. 0 means no limit. The default is ${whenAbsent}.`,
	};
	return numberOption<number>(property, whenAbsent);
}

/** The ranges of `ttl`, `pinLength` and `maxInvalidAttempts` are from the specification ("Limits"). */
export const otpOptions = {
	channel: choiceOption<OtpChannel>({
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
	}),
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
	pinLength: numberOption(
		{
			displayName: 'Code Length',
			name: 'pinLength',
			...between(4, 8),
			default: 6,
			description: 'Number of digits in the code, from 4 to 8',
		},
		undefined,
	),
	ttl: numberOption(
		{
			displayName: 'Valid For (Seconds)',
			name: 'ttl',
			...between(60, 3600),
			default: 300,
			description: 'How long the code can be used, from 60 to 3600 seconds',
		},
		undefined,
	),
	maxInvalidAttempts: numberOption(
		{
			displayName: 'Max Invalid Attempts',
			name: 'maxInvalidAttempts',
			...between(1, 10),
			default: 5,
			description: 'Max number of wrong entries per code, from 1 to 10',
		},
		undefined,
	),
	allowedCountryCodes: option(
		{
			...allowedCountryCodes.property,
			description:
				'Your own country first, such as 84, 95. A number without + or country code belongs to the first, and only these countries get codes by SMS. Without this option, only 95.',
		},
		[homeCountryCode],
		readCountryCodes,
	),
	maxPerHour: codeLimit('maxPerHour'),
	maxPerRecipientPerHour: codeLimit('maxPerRecipientPerHour'),
	timeout,
};

export type OtpOptions = ValuesOf<typeof otpOptions>;
