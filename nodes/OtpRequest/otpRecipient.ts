import { readCountryCodes, startsWithOneOf } from '../shared/validation/country';
import { describeValue, InputError } from '../shared/validation/InputError';
import { normalizeOtpRecipient } from '../shared/validation/recipient';

export type Channel = 'automatic' | 'sms' | 'email';

const channels: Record<Channel, true> = { automatic: true, sms: true, email: true };

function readChannel(options: Record<string, unknown>): Channel {
	const value = Object.hasOwn(options, 'channel') ? options.channel : 'automatic';
	const channel = String(value);
	if (Object.hasOwn(channels, channel)) return channel as Channel;
	throw new InputError(
		'channel',
		`Channel must be automatic, sms or email, but is ${describeValue(value)}`,
		'Choose one of the options, or use an expression that results in one of these words.',
	);
}

export function isEmail(recipient: string): boolean {
	return recipient.includes('@');
}

function requireChannel(channel: Channel, to: string): void {
	if (channel === 'automatic' || (channel === 'email') === isEmail(to)) return;
	throw channel === 'email'
		? new InputError(
				'to',
				`To is no e-mail address, and Channel is E-Mail: ${describeValue(to)}`,
				'Use an e-mail address such as name@example.com, or set Channel to Automatic.',
			)
		: new InputError(
				'to',
				`To is an e-mail address, and Channel is SMS: ${describeValue(to)}`,
				'Use a mobile number such as 09791234567, or set Channel to Automatic.',
			);
}

/**
 * Who gets the code. Codes by SMS go to numbers of the home country, unless other countries are allowed: numbers
 * abroad are dear, and the first thing that is tried where codes are sent to make somebody pay.
 * @throws InputError
 */
export function readOtpRecipient(value: unknown, options: Record<string, unknown>): string {
	const channel = readChannel(options);
	const countryCodes = readCountryCodes(options.allowedCountryCodes);
	const to = normalizeOtpRecipient(value);
	requireChannel(channel, to);
	if (isEmail(to) || startsWithOneOf(to, countryCodes)) return to;
	throw new InputError(
		'allowedCountryCodes',
		`To is a number of a country that no codes are sent to: ${describeValue(to)}`,
		`Codes by SMS go to numbers that start with ${countryCodes.join(', ')}. The option Allowed Country Codes can allow others.`,
	);
}

/** What the limits count as one recipient: letters of any case or width, and what is behind a + in front of the @. */
export function toCountedRecipient(to: string): string {
	if (!isEmail(to)) return to.replace('+', '');
	return to
		.normalize('NFKC')
		.toLowerCase()
		.replace(/(?<=.)\+[^@]*@/, '@');
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** The service puts the brand into the HTML of an e-mail as it is. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}
