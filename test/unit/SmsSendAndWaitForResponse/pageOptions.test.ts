import {
	burmese,
	confirmationText,
	directionOf,
	english,
	pageLanguage,
	pageTitle,
} from '../../../nodes/SmsSendAndWaitForResponse/pageOptions';

const read = (values: object) => pageLanguage.read({ values });

test('the page is in English unless the option says otherwise', () => {
	expect(pageLanguage.whenAbsent).toBe(english);
	expect([read({ language: 'en' }), read({ language: 'my' })]).toEqual([english, burmese]);
});

test('texts of one’s own replace the English ones', () => {
	const own = { languageCode: 'th', approve: ' อนุมัติ ', title: 'คำถาม' };
	expect(read({ language: 'own', ...own })).toEqual({ ...english, ...own, approve: 'อนุมัติ' });
});

test.each([
	[{ language: 'fr' }, '"fr" is not valid for Page Language'],
	[{ language: 'own', languageCode: 'en" onload=' }, 'is not a language code'],
	[{ language: 'own', approve: '' }, 'Approve Button in Page Language is empty'],
	[{ language: 'own', approve: {} }, 'must be text'],
])('%j is rejected', (values, words) => expect(() => read(values)).toThrow(words));

test('an empty title or confirmation is the default one', () => {
	expect([pageTitle.read(''), confirmationText.read(undefined)]).toEqual([undefined, undefined]);
	expect(pageTitle.read('Refund')).toBe('Refund');
	expect(() => pageTitle.read('x'.repeat(101))).toThrow('max. 100');
});

describe('pageTexts', () => {
	test.each([
		['en', 'ltr'],
		['my', 'ltr'],
		['arn', 'ltr'],
		['ar', 'rtl'],
		['ur-PK', 'rtl'],
		['HE', 'rtl'],
	])('%s is written %s', (language, direction) => expect(directionOf(language)).toBe(direction));

	test('Burmese has all texts of its own', () => {
		for (const [name, text] of Object.entries(english)) {
			const own = burmese[name as keyof typeof burmese];
			expect(own).not.toBe(text);
			if (name !== 'languageCode') expect(own).toMatch(/^[\u1000-\u109f\s()-]+$/);
		}
	});
});
