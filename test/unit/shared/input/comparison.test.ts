import {
	bucketOf,
	compareNumbers,
	compareTexts,
	isSameMessage,
	MessageSet,
} from '../../../../nodes/shared/input/comparison';
import { toRecipientKey } from '../../../../nodes/shared/input/number';

describe('toRecipientKey', () => {
	test.each([
		...['09791234567', '959791234567', '+959791234567', '00959791234567', '+95 (0)9 791-234-567'],
		...[
			'+9509791234567',
			'\u1040\u1049\u1047\u1049\u1041\u1042\u1043\u1044\u1045\u1046\u1047',
			' 09 791 234 567 ',
		],
	])('knows one person by %p', (to) => expect(toRecipientKey(to)).toBe('959791234567'));

	test.each(['+65 9123 4567', '6591234567', 6591234567])('knows one abroad by %p', (to) =>
		expect(toRecipientKey(to)).toBe('6591234567'),
	);

	test.each(['959791234567@example.com', 'order 959791234567', '959791234567,959791234568'])(
		'keeps %p, which is not a number',
		(to) => expect(toRecipientKey(` ${to} `)).toBe(to),
	);

	test('knows a mailbox in any case, but not one whose letters only look alike', () => {
		expect(toRecipientKey('Kay@Example.com')).toBe('kay@example.com');
		expect(toRecipientKey('\u212Aay@example.com')).not.toBe('kay@example.com');
	});

	test.each([undefined, null, '', '  '])('is empty without a recipient: %p', (to) =>
		expect(toRecipientKey(to)).toBe(''),
	);
});

test.each<[object, object, boolean]>([
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'a', to: '+959791234567' }, true],
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'a', to: '09791234568' }, false],
	[{ messageId: 'a', to: '09791234567' }, { messageId: 'b', to: '09791234567' }, false],
	[{ messageId: '4F6A-6d', to: null }, { messageId: '4f6a6d', to: null }, true],
	[{ messageId: '-', to: null }, { messageId: '+', to: null }, false],
	[{ messageId: 'a', to: null }, { messageId: 'a', to: '09791234567' }, true],
	[{ messageId: 'a', to: ' ' }, { messageId: 'b' }, false],
	[{ messageId: '4711' }, { messageId: 4711, to: '1' }, true],
])('isSameMessage: %j and %j: %p', (one, other, expected) => {
	expect(isSameMessage(one, other)).toBe(expected);
	expect(isSameMessage(other, one)).toBe(expected);
});

describe('compareNumbers', () => {
	const number = '959791234567';
	test.each<Array<string | null | undefined>>([
		...[
			[number, 'equal'],
			['+959791234567', 'equal'],
			['09791234567', 'equal'],
		],
		...[
			['959*******', 'cannot tell'],
			['95979*****67', 'cannot tell'],
			['09xxxxxxx', 'cannot tell'],
		],
		...[
			['9791234567', 'equal'],
			['4567', 'cannot tell'],
			['9***567', 'cannot tell'],
		],
		...[
			[undefined, 'cannot tell'],
			[null, 'cannot tell'],
			['', 'cannot tell'],
			['?', 'cannot tell'],
		],
		...[
			['959791234568', 'other'],
			['6591234567', 'other'],
			['6591****', 'other'],
		],
		...[
			['959*****68', 'other'],
			['4568', 'other'],
		],
	])('compares it with %p: %s', (shown, expected) => {
		expect(compareNumbers(number, shown)).toBe(expected);
		expect(compareNumbers(shown, number)).toBe(expected);
		// What can be the number is found where it is looked for.
		if (expected !== 'other') expect(['', bucketOf(number)]).toContain(bucketOf(shown));
	});
});

describe('compareTexts', () => {
	const message = "Your order & 'more' is ready.\r\nPlease come.";
	test.each([
		...[
			[message, 'equal'],
			[` ${message.replace('\r', '')}`, 'equal'],
		],
		...[
			[message.replace('&', '&amp;').replace(/'/g, '&#39;'), 'equal'],
			['', 'cannot tell'],
		],
		...[
			["Your order & 'more'…", 'cannot tell'],
			['Your...', 'cannot tell'],
			[undefined, 'cannot tell'],
		],
		...[
			["Your order &amp; 'more' is", 'cannot tell'],
			['Your order', 'other'],
			['Mine…', 'other'],
		],
		...[
			[`${message} Stop: 123`, 'other'],
			['c2VjcmV0', 'other'],
		],
	])('compares it with %j: %s', (shown, expected) => {
		expect(compareTexts({ message }, { message: shown })).toBe(expected);
	});
});

test('a set knows a message by its ID, and by its number only where both show it', () => {
	const known = new MessageSet([
		{ messageId: 'a', to: '959791234567' },
		{ messageId: 'b', to: '959*******' },
	]);
	const has = (messageId: string, to?: string) => known.has({ messageId, to });
	expect([has('a', '09791234567'), has('a', '959*******'), has('a')]).toEqual([true, true, true]);
	expect([has('b', '959791234567'), has('b', '6591234567')]).toEqual([true, false]);
	expect([has('a', '959791234568'), has('c', '959791234567')]).toEqual([false, false]);
});
