import { findRejection, requireSecret } from '../../../nodes/SmsReceiptTrigger/access';
import { parseAllowlist } from '../../../nodes/SmsReceiptTrigger/ipAllowlist';

const secret = 'right-and-long-enough';
const caller = { address: '203.0.113.7', secret };
const within = (range: string) => parseAllowlist(range);

describe('who may report receipts', () => {
	test.each([
		['everybody', {}, { address: '', secret: undefined }, undefined],
		['who knows the secret', { secret }, caller, undefined],
		['not who knows another', { secret }, { ...caller, secret: 'wrong-and-long-enough' }, 401],
		['not who has a list of it', { secret }, { ...caller, secret: [secret] }, 401],
		['who is in the list', { ipAllowlist: within('203.0.113.0/24') }, caller, undefined],
		['not who is not', { ipAllowlist: within('198.51.100.0/24') }, caller, 403],
		[
			'not who lacks one of two',
			{ ipAllowlist: within('203.0.113.7'), secret },
			{ ...caller, secret: undefined },
			401,
		],
	])('is %s', (_, { ipAllowlist, secret }: Partial<Settings>, from, status) => {
		expect(findRejection({ ipAllowlist, secret }, from)?.status).toBe(status);
	});
});

type Settings = Parameters<typeof findRejection>[0];

test.each([
	['short', 'Secret is too short: it has 5 characters and needs 16 or more'],
	['a secret with spaces', 'Secret has a character that breaks a URL'],
	['one&another=secret-1', 'Secret has a character that breaks a URL'],
	['', /enter for example ([0-9a-f]{32}), and append \?secret=\1 to the webhook URL/],
	[[secret], 'Secret must be text, but is a list'],
	[true, 'Secret must be text, but is true'],
])('%j is not a secret', (value, sentence) => {
	expect(() => requireSecret(value)).toThrow(sentence);
});

test('a long number is a secret', () => {
	expect(requireSecret(1234567890123456)).toBe('1234567890123456');
});
