import { burmese, directionOf, english } from '../../../nodes/SmsSendAndWaitForResponse/pageTexts';

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
