import { readOnlySendTo } from '../../../../nodes/shared/client/credential';

const list = '09791234567, ၀၉၇၉၁၂၃၄၅၆၈\n+65 9123 4567; Name@Example.com\r\n9597910*\n+44*';

test.each([
	['959791234567', true],
	['959791234568', true],
	['+6591234567', true],
	['name@example.com', true],
	['NAME@example.com', true],
	['959791012345', true],
	['+447911123456', true],
	['+4407911123456', true],
	['959791234569', false],
	['959791', false],
	['95979101@example.com', false],
	['959791234567@example.com', false],
	['other@example.com', false],
	['name@example.com.evil.example', false],
	['+6591234568', false],
	['', false],
	['959791012345,959791234569', false],
])('of %j, the list says %p', (recipient, expected) => {
	const send = () => readOnlySendTo(list)([recipient]);
	if (expected) expect(send).not.toThrow();
	else expect(send).toThrow('Not sent: ');
});

test.each(['', ' ', '\n'])('an empty list %j lets messages go to anybody', (text) => {
	expect(() => readOnlySendTo(text)(['959791234567', 'name@example.com'])).not.toThrow();
});

test.each([
	['everybody', '"everybody"'],
	['09791234567, *', '"*"'],
	['*@example.com', '"*@example.com"'],
	['0*', '"0*"'],
	['9597*10', '"9597*10"'],
	['**', '"**"'],
	['97x*', '"97x*"'],
	['9607771234', '"9607771234"'],
	['09791234567 09791234568', 'Separate several numbers with commas'],
	[',', 'Only Send To'],
	['name@', '"name@"'],
	['{{ $vars.testers }}', 'expression'],
	[null, 'returned no value'],
])('the list %j is rejected by name', (text, named) => {
	expect(() => readOnlySendTo(text)).toThrow(
		expect.objectContaining({
			field: 'onlySendTo',
			message: expect.stringContaining('Only Send To of the credential'),
		}),
	);
	try {
		readOnlySendTo(text);
	} catch (error) {
		expect(`${(error as Error).message} ${(error as { hint: string }).hint}`).toContain(named);
	}
});
