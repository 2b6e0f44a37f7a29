import { readCode } from '../../../nodes/OtpVerify/readCode';
import { processorMs } from '../../support/unit/processorTime';

describe('a code that people paste, type and import', () => {
	test.each([
		...[
			' 04 27 ',
			'04-27',
			'04\u201327',
			'04\u2011 27',
			'0427.',
			"'0427",
			'"0427"',
			'=“0427”',
			'`0427`',
		],
		...['\u200b0427', '04\u00a027', '04\u202f27', '0\u2060427', ` 0427${' '.repeat(5000)}`],
		...['၀၄၂၇', '႐႔႒႗', '०४२७', '۰۴۲۷', '٠٤٢٧', '０４２７', '๐๔๒๗', '𝟎𝟒𝟐𝟕'],
		...[
			'G-0427',
			'ABC-0427',
			'#0427',
			'Code: 0427',
			'0427 is your MyShop code. Valid for 5 minutes.',
			'MyShop 1.0: 0427',
			'1.0 sent 0427',
			'0427 for MyShop 1.0',
			'0427 for order 123456789',
			'1e5 0427',
			'0427, room 1E5',
			'0427'.padEnd(2000, ' x'),
		],
		...['<#> Your code is 0427\nFA+9qCX9VSu', 'Your code is 04-27.', '0427\n@example.com #0427'],
		...['သင့်ကုဒ် ၀၄၂၇ဖြစ်သည်', '【MyShop】验证码0427，5分钟内有效'],
	])('reads %j as 0427', (typed) => {
		expect(readCode(typed)).toBe('0427');
	});

	test.each([
		...[
			['A1B2C3', 'A1B2C3'],
			['a1-b2 C3', 'a1b2C3'],
			['ABC0427', 'ABC0427'],
			['AB-1234', '1234'],
			['"x7k9"', 'x7k9'],
		],
		...[
			['O42719', 'O42719'],
			['O4Z7', 'O4Z7'],
			['12345a', '12345a'],
			['Code: 12345678', '12345678'],
		],
	])('reads letters and digits as typed: %j as %s', (typed, code) => {
		expect(readCode(typed)).toBe(code);
	});

	test.each([...[42719, 123456, 5, '118625.0', '118625.00', '4.87574e5', '4.87574e+10', '4e5']])(
		'rejects %j as a number',
		(typed) => {
			const message = 'Code is a number, so a leading zero would be lost';
			expect(() => readCode(typed)).toThrow(expect.objectContaining({ message, field: 'code' }));
		},
	);

	test.each([
		...['abcdef', '123', '123456789', '12 3456789', 'my code', '0427 or 0428', '?'],
		...['code 4271O9', '\u101D42719', '42,719', 'x', 'A1B2C3D4E', 'A1', 'a1b2 or c3d4', 'A1B2é'],
		...['Call 09791234567', 'Code 042719, valid until 2026', `0427${'x'.repeat(1997)}`],
	])('rejects %j as no code', (typed) => {
		const message = 'Code must be 4 to 8 digits or letters, with at least one digit';
		expect(() => readCode(typed)).toThrow(expect.objectContaining({ message, field: 'code' }));
	});

	test.each(['', ' - ', null, undefined, {}, []])('calls %j empty', (typed) => {
		const isEmpty = { message: 'Code is empty', field: 'code' };
		expect(() => readCode(typed)).toThrow(expect.objectContaining(isEmpty));
	});

	test('reads long text at once', async () => {
		const ms = await processorMs(() => {
			for (const text of ['" '.repeat(1_000), '1-'.repeat(1_000), ' '.repeat(1_000_000)])
				expect(() => readCode(`${text}x`)).toThrow('Code');
		});
		expect(ms).toBeLessThan(500);
	});
});
