import { readVisitor } from '../../../../nodes/OtpRequest/limits/visitor';

describe('the visitor who asks for a code', () => {
	test.each([
		['203.0.113.7', '203.0.113.8', false],
		['203.0.113.7', '::ffff:203.0.113.7', true],
		['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::1', true],
		['2001:db8:1:2::1', '2001:db8:1:3::1', false],
		['::1', '0.0.0.1', false],
		['session-1', ' session-1 ', true],
		['session-1', 'session-2', false],
		[1, '1', true],
	])('%j and %j: one visitor is %j', (a, b, isOne) => {
		const [one, other] = [readVisitor(a), readVisitor(b)];
		expect(one.key === other.key).toBe(isOne);
	});

	test.each([
		['172.18.0.1', true],
		['203.0.113.7', false],
		['session-1', false],
	])('%s has a private address: %j', (value, isPrivate) => {
		expect(readVisitor(value).isPrivate).toBe(isPrivate);
	});

	test.each([[{}], [['203.0.113.7']], ['{{ $json.ip }}'], ['x'.repeat(1001)]])(
		'is not %j',
		(value) => {
			expect(() => readVisitor(value)).toThrow(expect.objectContaining({ field: 'visitor' }));
		},
	);
});
