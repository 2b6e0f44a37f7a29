import { parseAddress } from '../../../nodes/SmsReceiptTrigger/network';

describe('an IP address', () => {
	test.each([
		['203.0.113.7', '::ffff:203.0.113.7', true],
		[' 203.0.113.7 ', '203.0.113.7', true],
		['2001:db8:0:0::1', '2001:DB8::1', true],
		['fe80::1%eth0', 'fe80::1', true],
		['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:9', false],
		['203.0.113.7', '203.0.113.8', false],
		['::1', '0.0.0.1', false],
	])('%j and %j are the same IP address: %j', (a, b, isSame) => {
		expect(parseAddress(a)).not.toBeNull();
		expect(parseAddress(a) === parseAddress(b)).toBe(isSame);
	});

	test.each([
		...['', 'unknown', '5', '203.0.113', '203.0.113.256', '01.2.3.4', '203.0.113.7:80', '1::2::3'],
		'::1]/x',
	])('%j is not an IP address', (text) => {
		expect(parseAddress(text)).toBeNull();
	});
});
