import { type Limits, mostCodes } from '../shared/n8n/countCode';
import {
	choiceOption,
	numberOption,
	option,
	optionalText,
	type ValuesOf,
} from '../shared/options/option';
import { timeout } from '../shared/options/requestOptions';
import { allowedCountryCodes } from '../shared/options/limits';
import { readCountryCodes, homeCountryCode } from '../shared/input/number';
import { parseAddress, requireTemplate, requireText } from '../shared/input/text';

export interface Visitor {
	/** One IPv4 address, a /64 of IPv6, which one connection has to itself, or the text of a session. */
	visitor: string;
	/** A /16 of IPv4, a /32 of IPv6, or the session. */
	network: string;
}

/** @throws InputError */
export function readVisitor(value: unknown): Visitor {
	const text = requireText(value, 'visitor', 'Visitor', 1000).trim();
	const address = parseAddress(text);
	if (address === null) return { visitor: text, network: text };
	const isIpv4 = address >> 32n === 0xffffn;
	const first = (bits: number) => `${address >> BigInt(128 - bits)}/${bits}`;
	return isIpv4
		? { visitor: first(128), network: first(112) }
		: { visitor: first(64), network: first(32) };
}

export type Channel = 'automatic' | 'sms' | 'email';

function between(minValue: number, maxValue: number) {
	return { type: 'number', typeOptions: { minValue, maxValue, numberPrecision: 0 } } as const;
}

/** A limit of the whole node, or of one recipient, range or visitor. */
function codeLimit(
	name: keyof Limits,
	displayName: string,
	whenAbsent: number,
	{ what, most = 1000 }: { what: string; most?: number },
) {
	const property = {
		...{ displayName, name, ...between(0, most), default: whenAbsent },
		description: `${what}. 0 means no limit. The default is ${whenAbsent}.`,
	};
	return numberOption(property, whenAbsent);
}

/** The ranges of `ttl`, `pinLength` and `maxInvalidAttempts` are from the specification ("Limits"). */
export const otpOptions = {
	allowedCountryCodes: option(
		{
			...allowedCountryCodes.property,
			description:
				'Countries whose numbers can get codes by SMS, such as 95, 65; email is not affected. By default, only 95.',
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
			description: 'Number of digits in the code, from 4 to 8',
		},
		undefined,
	),
	maxOpen: codeLimit('maxOpen', 'Max Open Codes', 300, {
		most: mostCodes,
		what: 'Max codes in an hour that nobody has verified, in each n8n process',
	}),
	maxOpenPerRange: codeLimit('maxOpenPerRange', 'Max Open Codes per Range', 10, {
		what: 'Max codes in an hour that nobody has verified, to numbers that differ only in their last four digits',
	}),
	maxOpenPerVisitor: codeLimit('maxOpenPerVisitor', 'Max Open Codes per Visitor', 5, {
		what: 'Max codes in an hour that nobody has verified, for one Visitor',
	}),
	maxPerHour: codeLimit('maxPerHour', 'Max Codes per Hour', 6000, {
		most: mostCodes,
		what: 'Max codes in an hour in each n8n process, verified or not',
	}),
	maxPerRecipient: codeLimit('maxPerRecipient', 'Max Codes per Recipient', 5, {
		what: 'How many codes one number or email address can get in 10 minutes from each n8n process',
	}),
	maxPerRecipientPerDay: codeLimit('maxPerRecipientPerDay', 'Max Codes per Recipient per Day', 20, {
		what: 'How many codes one number or email address can get in 24 hours from each n8n process',
	}),
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
	pauseSeconds: codeLimit('pauseSeconds', 'Pause (Seconds)', 30, {
		most: 600,
		what: 'How long a number or email address must wait for its next code from this node',
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
	timeout,
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
	visitor: optionalText(
		{
			displayName: 'Visitor',
			name: 'visitor',
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $json.headers['x-real-ip'] }}",
			description:
				'IP address or session of the person who asks, for Max Open Codes per Visitor. Leave empty if unknown.',
			hint: 'From your proxy or website only: a visitor can write other headers and fields themselves.',
		},
		readVisitor,
	),
};

export type OtpOptions = ValuesOf<typeof otpOptions>;
