import type { LoggedRequest } from './entities';
import { isFields } from './service/fields';
import { readPhoneNumber } from './service/phoneNumber';

/** Any spelling of a phone number as digits, 959... for domestic numbers; other text trimmed, in lowercase. */
export function readRecipient(text: string): string {
	// The usual spelling: a bulk request may have 50,000.
	if (/^09\d{6,10}$/.test(text)) return `959${text.slice(2)}`;
	const bare = text.trim().replace(/(?<=\d|\+)[\s().-]+|^\((?=\+?\d)/g, '');
	if (!/^\+?\d+$/.test(bare)) return text.trim().toLowerCase();
	const number = bare.replace(/^00/, '+');
	return readPhoneNumber(number) ?? number.replace(/^\+/, '');
}

/** Recipients of a request, as written. */
export function listRecipients({ query, body }: LoggedRequest): string[] {
	const items: unknown[] = isFields(body) && Array.isArray(body.messages) ? body.messages : [];
	const holders = [query, body, ...items].filter(isFields);
	return holders
		.flatMap(({ to }) => to)
		.filter((to) => typeof to === 'string' && to !== '') as string[];
}

/** `Aye <aye@example.com>, b@example.com`: both addresses. */
export function listAddresses(text: string): string[] {
	return text.split(/[\s<>,;"]+/).filter((word) => /.@./.test(word));
}

/** Whether a text names a recipient among those that were written, in any spelling. */
export function isAmong(recipients: string[], wanted: string): boolean {
	return recipients.some((one) => readRecipient(one) === wanted);
}
