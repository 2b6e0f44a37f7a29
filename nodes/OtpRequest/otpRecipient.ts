import { startsWithOneOf } from '../shared/validation/country';
import { describeValue, InputError } from '../shared/validation/InputError';
import { normalizeOtpRecipient } from '../shared/validation/recipient';
import type { Channel, OtpOptions } from './otpOptions';

export function isEmail(recipient: string): boolean {
	return recipient.includes('@');
}

function requireChannel(channel: Channel, to: string): void {
	if (channel === 'automatic' || (channel === 'email') === isEmail(to)) return;
	throw channel === 'email'
		? new InputError(
				'to',
				`To is not an e-mail address, and Channel is E-Mail: ${describeValue(to)}`,
				'Use an e-mail address such as name@example.com, or set Channel to Automatic.',
			)
		: new InputError(
				'to',
				`To is an e-mail address, and Channel is SMS: ${describeValue(to)}`,
				'Use a mobile number such as 09791234567, or set Channel to Automatic.',
			);
}

/** Numbers abroad are dear, and what fraud asks codes for: other countries must be allowed. @throws InputError */
export function readOtpRecipient(
	value: unknown,
	{ channel, allowedCountryCodes: codes }: Pick<OtpOptions, 'channel' | 'allowedCountryCodes'>,
): string {
	const to = normalizeOtpRecipient(value, codes);
	requireChannel(channel, to);
	if (isEmail(to) || startsWithOneOf(to, codes)) return to;
	throw new InputError(
		'allowedCountryCodes',
		`To is a number of a country that no codes are sent to: ${describeValue(to)}`,
		`Codes by SMS go to numbers that start with ${codes.join(', ')}. The option Allowed Country Codes can allow others.`,
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
