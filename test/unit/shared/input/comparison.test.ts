import {
	bucketOf,
	compareNumbers,
	compareTexts,
	isSameMessage,
	MessageSet,
} from '../../../../nodes/shared/input/comparison';
import { toRecipientKey } from '../../../../nodes/shared/input/number';

describe('toRecipientKey', () => {
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

/** What is shown of it, by what it is found to be. */
type Shown<T> = Record<'equal' | 'cannot tell' | 'other', T[]>;
const rowsOf = <T>(all: Shown<T>) =>
	Object.entries(all).flatMap(([expected, shown]) => shown.map((one) => [one, expected] as const));

describe('compareNumbers', () => {
	const number = '959791234567';
	const shown: Shown<string | null | undefined> = {
		equal: [number, '+959791234567', '09791234567', '9791234567'],
		'cannot tell': [
			...['959*******', '95979*****67', '09xxxxxxx', '4567', '9***567'],
			...[undefined, null, '', '?'],
		],
		other: ['959791234568', '6591234567', '6591****', '959*****68', '4568'],
	};

	test.each(rowsOf(shown))('compares it with %p: %s', (shown, expected) => {
		expect(compareNumbers(number, shown)).toBe(expected);
		expect(compareNumbers(shown, number)).toBe(expected);
		// What can be the number is found where it is looked for.
		if (expected !== 'other') expect(['', bucketOf(number)]).toContain(bucketOf(shown));
	});
});

describe('compareTexts', () => {
	const message = "Your order & 'more' is ready.\r\nPlease come.";
	const shown: Shown<string | undefined> = {
		equal: [
			...[message, ` ${message.replace('\r', '')}`],
			message.replace('&', '&amp;').replace(/'/g, '&#39;'),
		],
		'cannot tell': [
			...['', undefined, "Your order & 'more'…", 'Your...'],
			"Your order &amp; 'more' is",
		],
		other: ['Your order', 'Mine…', `${message} Stop: 123`, 'c2VjcmV0'],
	};

	test.each(rowsOf(shown))('compares it with %j: %s', (shown, expected) => {
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
