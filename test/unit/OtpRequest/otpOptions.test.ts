import { readVisitor } from '../../../nodes/OtpRequest/otpOptions';

describe('the visitor who asks for a code', () => {
	test.each([
		['203.0.113.7', '203.0.113.8', false, true],
		['203.0.113.7', '::ffff:203.0.113.7', true, true],
		['203.0.113.7', '203.1.113.7', false, false],
		['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::1', true, true],
		['2001:db8:1:2::1', '2001:db8:1:3::1', false, true],
		['2001:db8::1', '2001:db9::1', false, false],
		['::1', '0.0.0.1', false, false],
		['session-1', ' session-1 ', true, true],
		['session-1', 'session-2', false, false],
		[1, '1', true, true],
	])('%j and %j: one visitor is %j, one network %j', (a, b, isOne, isNear) => {
		const [one, other] = [readVisitor(a), readVisitor(b)];
		expect([one.visitor === other.visitor, one.network === other.network]).toEqual([isOne, isNear]);
	});

	test.each([[{}], [['203.0.113.7']], ['{{ $json.ip }}'], ['x'.repeat(1001)]])(
		'is not %j',
		(value) => {
			expect(() => readVisitor(value)).toThrow(expect.objectContaining({ field: 'visitor' }));
		},
	);
});
