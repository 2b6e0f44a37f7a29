import { normalizeOtpRecipient, startsWithOneOf, toRecipientKey } from '../shared/input/number';
import { describeValue, InputError } from '../shared/input/InputError';
import type { OtpChannel, OtpOptions } from './otpOptions';

export function isEmail(recipient: string): boolean {
	return recipient.includes('@');
}

function requireChannel(channel: OtpChannel, to: string): void {
	if (channel === 'automatic' || (channel === 'email') === isEmail(to)) return;
	const [kind, hint] =
		channel === 'email'
			? [
					'is not an email address, and Channel is Email',
					'Use an email address such as name@example.com, or set Channel to Automatic.',
				]
			: [
					'is an email address, and Channel is SMS',
					'Use a mobile number such as 09791234567, or set Channel to Automatic.',
				];
	throw new InputError('to', `To ${kind}: ${describeValue(to)}`, hint);
}

/** SMS pumping targets expensive foreign numbers, so other countries must be allowed. @throws InputError */
export function readOtpRecipient(
	value: unknown,
	{ channel, allowedCountryCodes: codes }: Pick<OtpOptions, 'channel' | 'allowedCountryCodes'>,
): string {
	const to = normalizeOtpRecipient(value, codes);
	requireChannel(channel, to);
	if (isEmail(to) || startsWithOneOf(to, codes)) return to;
	throw new InputError(
		'allowedCountryCodes',
		`Codes can't be sent to this country: ${describeValue(to)}`,
		`To allow it, add its country code to Allowed Country Codes (${codes.join(', ')}), under Options.`,
	);
}

/**
 * The key by which limits count a recipient. For email addresses, it ignores case and +tags; for Gmail also dots and
 * the choice of domain.
 */
export function toCountedRecipient(to: string): string {
	if (!isEmail(to)) return toRecipientKey(to);
	const [localPart, domain] = to.toLowerCase().split('@');
	const name = localPart.replace(/(?<=.)\+.*/s, '');
	const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
	return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
