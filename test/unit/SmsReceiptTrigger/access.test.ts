import { BlockList, isIPv4, isIPv6 } from 'node:net';

import fc from 'fast-check';

import { isInRanges, parseAllowlist, readSecret } from '../../../nodes/SmsReceiptTrigger/access';

const secret = 'right-and-long-enough';

test.each([
	['short', 'Secret is too short: it has 5 characters and needs 16 or more'],
	['a secret with spaces', 'Secret has a character that breaks a URL'],
	['one&another=secret-1', 'Secret has a character that breaks a URL'],
	['', 'Secret is too short'],
	[[secret], 'Secret must be text, but is a list'],
	[true, 'Secret must be text, but is true'],
])('%j is not a secret', (value, sentence) => {
	expect(() => readSecret(value)).toThrow(sentence);
});

test('a long number is a secret', () => {
	expect(readSecret(1234567890123456)).toBe('1234567890123456');
});

const isAllowed = (allowlist: string, address: string) =>
	isInRanges(parseAllowlist(allowlist), address);

describe('an allowlist of addresses', () => {
	test.each([
		['203.0.113.7', '::ffff:203.0.113.7'],
		['203.0.113.7', '::ffff:cb00:7107'],
		['::ffff:203.0.113.7', '203.0.113.7'],
		['10.0.0.1, 10.0.0.2\n10.0.0.3 10.0.0.4;10.0.0.5', '10.0.0.4'],
		['2001:db8::/32', '2001:DB8:ffff::1'],
		['::1', '0:0:0:0:0:0:0:1'],
		['fe80::/10', 'fe80::1%eth0'],
	])('%p allows %p', (allowlist, address) => {
		expect(isAllowed(allowlist, address)).toBe(true);
	});

	test.each([
		['2001:db8::/32', '2001:db9::1'],
		['203.0.113.7', ''],
		['203.0.113.7', 'unknown'],
		['203.0.113.7', '203.0.113.7, 1.1.1.1'],
	])('%p does not allow %p', (allowlist, address) => {
		expect(isAllowed(allowlist, address)).toBe(false);
	});

	test.each([
		'',
		' , \n',
		'10.0.0',
		'10.0.0.256',
		'010.0.0.1',
		'10.0.0.0/33',
		'10.0.0.0/-1',
		'10.0.0.0/',
		'10.0.0.0/8/8',
		'10.0.0.*',
		'example.com',
		'2001:db8::/129',
		'2001::db8::1',
		'1:2:3:4:5:6:7',
		'1:2:3:4:5:6:7:8:9',
		'1:2:3:4:5:6:7::8',
		':1',
		'12345::',
		'::ffff:10.0.0.999',
		'10.0.0.1, oops',
	])('rejects the list %p', (allowlist) => {
		expect(() => parseAllowlist(allowlist)).toThrow(/^IP Allowlist\b/);
	});

	test('agrees with Node about every range and address', () => {
		const addresses = [fc.ipV4(), fc.ipV6()];
		fc.assert(
			fc.property(
				fc.oneof(...addresses),
				fc.nat({ max: 128 }),
				fc.oneof(...addresses),
				(range, bits, address) => {
					const isV4 = isIPv4(range);
					const prefix = isV4 ? bits % 33 : bits;
					// Ranges over all of IPv4 in IPv6 are where Node's own versions differ.
					fc.pre(isV4 || prefix > 96);
					const nodes = new BlockList();
					nodes.addSubnet(range, prefix, isV4 ? 'ipv4' : 'ipv6');
					const expected = nodes.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
					expect(isAllowed(`${range}/${prefix}`, address)).toBe(expected);
					expect(isAllowed(`${range}/${prefix}`, range)).toBe(true);
				},
			),
		);
	});
});
