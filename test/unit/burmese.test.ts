import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import { countParts } from '../../nodes/shared/input/parts';
import { exampleNames, readExample } from '../../scripts/n8n/examples';

const page = readFileSync(join(__dirname, '../../docs/texts/burmese.md'), 'utf8');
/** Each text, with its translation on the next line. */
const translations = [...page.matchAll(/^- .+\\\n {2}(.+)$/gm)].map(([, text]) => text);

interface Assignment {
	name: string;
	value: string;
}

/** Texts in one line, as the page shows them. */
const inLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');

/** The texts of an example in both languages, from its node Texts. */
function listPairs(file: string): Array<[text: string, translation: string]> {
	const texts = readExample(file).nodes.filter(({ name }) => name === 'Texts');
	return texts.flatMap(({ parameters }) => {
		const { assignments } = parameters.assignments as { assignments: Assignment[] };
		const read = (language: string) =>
			JSON.parse(assignments.find(({ name }) => name === language)?.value ?? '{}') as Record<
				string,
				string
			>;
		const [en, my] = [read('en'), read('my')];
		expect(Object.keys(my)).toEqual(Object.keys(en));
		return Object.keys(en).map((key): [string, string] => [inLine(en[key]), inLine(my[key])]);
	});
}

describe('docs/texts/burmese.md', () => {
	test.each(exampleNames)('%s has each of its texts in both languages', (file) => {
		for (const pair of listPairs(file)) expect(pair).not.toContain('');
	});

	test.each(exampleNames)('%s shows English where the language is unknown', (file) => {
		const text = JSON.stringify(readExample(file).nodes);
		for (const [, code] of text.matchAll(/=> (\(?json\[json\.language\].*?)\)\(\$\('Texts'\)/g)) {
			const choose = new Function('json', `return ${code}`) as (json: object) => unknown;
			const texts = { en: 'English', my: 'Burmese' };
			expect(choose({ ...texts, language: 'mm' })).toBe('English');
			expect(choose({ ...texts, language: 'my' })).toBe('Burmese');
		}
	});

	test('has a campaign whose message costs what campaigns.md says, with its opt-out link', () => {
		const { nodes } = readExample('opt-outs');
		const form = nodes.find(({ name }) => name === 'No more messages');
		const link = `https://n8n.example.com/form/${form?.webhookId}`;
		const costs = listPairs('opt-outs')[0].map((sms) => {
			const text = sms.replace('{name}', 'Aye Aye');
			return countParts(`${text} ${link}?phone=09791234567`).parts;
		});
		expect(costs).toEqual([1, 3]);
		const campaigns = readFileSync(join(__dirname, '../../docs/campaigns.md'), 'utf8');
		expect(campaigns).toContain('with its opt-out link, costs 3 parts in Burmese and 1 in English');
	});

	test('has a text of a code that fits into one part with a brand of 12 letters', () => {
		const longest = '8'.repeat(Number(otpOptions.pinLength.property.typeOptions?.maxValue));
		const texts = translations.filter((text) => /^[^<]*\{code\}/.test(text));
		expect(texts.length).toBeGreaterThan(1);
		for (const text of texts) {
			const sent = text.replace('{brand}', 'B'.repeat(12)).replace('{code}', longest);
			expect(sent.length).toBeLessThanOrEqual(70);
			expect(countParts(sent)).toMatchObject({ parts: 1 });
		}
	});
});
