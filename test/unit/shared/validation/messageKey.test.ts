import {
	isSameMessage,
	toMessageKey,
	toNumberKey,
} from '../../../../nodes/shared/validation/messageKey';

describe('toNumberKey', () => {
	test.each([
		...['09791234567', '959791234567', '+959791234567', '00959791234567', '+95 (0)9 791-234-567'],
		...[
			'+9509791234567',
			'\u1040\u1049\u1047\u1049\u1041\u1042\u1043\u1044\u1045\u1046\u1047',
			' 09 791 234 567 ',
		],
	])('knows one person by %p', (to) => expect(toNumberKey(to)).toBe('959791234567'));

	test.each(['+65 9123 4567', '6591234567', 6591234567])('knows one abroad by %p', (to) =>
		expect(toNumberKey(to)).toBe('6591234567'),
	);

	test.each([
		...['959791234567@example.com', 'order 959791234567', '959791234567,959791234568'],
		...['a', 'MyShop'],
	])('keeps %p, which is not a number', (to) => expect(toNumberKey(` ${to} `)).toBe(to));

	test.each([undefined, null, '', '  '])('is empty without a recipient: %p', (to) =>
		expect(toNumberKey(to)).toBe(''),
	);
});

describe('toMessageKey', () => {
	test('tells recipients of one ID apart, however they are written', () => {
		const keyOf = (to?: string) => toMessageKey({ messageId: 'm', to });
		expect(keyOf('09791234567')).toBe(keyOf('+959791234567'));
		expect(new Set(['09791234567', '09791234568', undefined].map(keyOf)).size).toBe(3);
	});

	test('differs for all that differs, also where a part contains the separator', () => {
		const parts: Array<[messageId: string, to: string | null]> = [
			['a', '1'],
			...(['a:1', 'a%3A1', 'a:', 'a'] as const).map((id): [string, null] => [id, null]),
			...(['a:1', 'a'] as const).map((id): [string, string] => [id, '1:1']),
		];
		const keys = parts.flatMap(([messageId, to]) =>
			['1', '1:1', ':1'].map((status) => toMessageKey({ messageId, to }, status)),
		);
		expect(new Set(keys).size).toBe(3 * parts.length);
	});

	test('is readable for what services name', () => {
		const message = { messageId: '4f6a6d7e-1c1a-4a39-9a57-0d3b3d3a1c11', to: '09791234567' };
		expect(toMessageKey(message, '?')).toBe(`${message.messageId}:959791234567:?`);
		expect(toMessageKey({ messageId: 4711 })).toBe('4711');
	});
});

test.each<[object, object, boolean]>([
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'a', to: '+959791234567' }, true],
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'a', to: '09791234568' }, false],
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'b', to: '09791234567' }, false],
	[{ messageId: 'a', to: null }, { messageId: 'a', to: '09791234567' }, true],
	[{ messageId: 'a', to: ' ' }, { messageId: 'b' }, false],
	[{ messageId: '4711' }, { messageId: 4711, to: '1' }, true],
])('isSameMessage: %j and %j: %p', (one, other, expected) => {
	expect(isSameMessage(one, other)).toBe(expected);
	expect(isSameMessage(other, one)).toBe(expected);
});
