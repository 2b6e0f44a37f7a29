import { findRejection, requireSecret } from '../../../nodes/SmsReceiptTrigger/access';
import { parseAllowlist } from '../../../nodes/SmsReceiptTrigger/ipAllowlist';

const secret = 'right-and-long-enough';
const caller = { address: '203.0.113.7', secret };
const within = (range: string) => parseAllowlist(range);

describe('a call of the webhook', () => {
	test.each([
		['accepted from everybody, by default', {}, { address: '', secret: undefined }, 'accepted'],
		['accepted with the secret', { secret }, caller, 'accepted'],
		[
			'rejected with another secret',
			{ secret },
			{ ...caller, secret: 'wrong-and-long-enough' },
			401,
		],
		['rejected with the secret in a list', { secret }, { ...caller, secret: [secret] }, 401],
		[
			'accepted from an address on the list',
			{ ipAllowlist: within('203.0.113.0/24') },
			caller,
			'accepted',
		],
		['rejected from another address', { ipAllowlist: within('198.51.100.0/24') }, caller, 403],
		[
			'rejected from an address on the list without the secret',
			{ ipAllowlist: within('203.0.113.7'), secret },
			{ ...caller, secret: undefined },
			401,
		],
	])('is %s', (_, { ipAllowlist, secret }: Partial<Settings>, from, status) => {
		const { status: given = 'accepted' } = findRejection({ ipAllowlist, secret }, from) ?? {};
		expect(given).toBe(status);
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
