import { findRefusal, requireUsableOptions } from '../../../nodes/SmsReceiptTrigger/access';

const secret = 'right-and-long-enough';
const caller = { address: '203.0.113.7', secret };

describe('who may report receipts', () => {
	test('is everybody where no option is there', () => {
		expect(findRefusal({}, { address: '', secret: undefined })).toBeUndefined();
	});

	test.each([
		[{ secret }, caller, undefined],
		[{ secret }, { ...caller, secret: 'wrong-and-long-enough' }, 401],
		[{ secret }, { ...caller, secret: [secret] }, 401],
		[{ ipAllowlist: '203.0.113.0/24' }, caller, undefined],
		[{ ipAllowlist: '198.51.100.0/24' }, caller, 403],
		[{ ipAllowlist: '203.0.113.7', secret }, { ...caller, secret: undefined }, 401],
	])('with %j is %j refused with %p', (options, from, status) => {
		expect(findRefusal(options, from)?.status).toBe(status);
	});

	test.each([{ secret: '' }, { secret: '   ' }, { secret: undefined }, { ipAllowlist: '' }])(
		'is nobody with %j, which protects nothing',
		(options) => {
			expect(() => requireUsableOptions(options)).toThrow();
			expect(() => findRefusal(options, caller)).toThrow();
		},
	);
});
