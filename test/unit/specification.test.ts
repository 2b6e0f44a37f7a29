import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import specification from '../specification.json';
import { readTitles } from '../support/unit/readTitles';

const projectFolder = join(__dirname, '../..');
const testFolder = join(projectFolder, 'test');
const page = readFileSync(join(projectFolder, 'sandbox/SERVICE.md'), 'utf8');

/** Every row of sandbox/SERVICE.md, what the service promises and what was seen of it: section, row, tests. */
const sections: Record<string, Record<string, string[]>> = specification;

/** How many rows each section has; a row that goes missing is noticed. */
const rowsOfSections = {
	'Base addresses': 4,
	'What the service does': 7,
	'Send request': 12,
	'Bulk send request': 4,
	'Message record': 16,
	'Send response envelope': 1,
	'Message history envelope': 5,
	Balance: 2,
	'OTP request result': 5,
	'OTP verification result': 3,
	'Message status values': 11,
	'OTP request lifecycle': 4,
	Endpoints: 11,
	'History query parameters': 7,
	'Request OTP query parameters': 8,
	'Verify OTP query parameters': 3,
	'OTP rules': 3,
	'Query-parameter sending surface': 11,
	Authentication: 7,
	Events: 11,
	Errors: 8,
	Limits: 5,
	Versioning: 3,
	Methods: 6,
	'Field notes': 24,
};

const files = readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.test.ts'));
const known = new Set(
	files.flatMap((file) =>
		readTitles(join(testFolder, file)).map(({ title }) => `${file} › ${title}`),
	),
);

/** Comments cite field notes by number (`field notes 3 and 9`), and sections by name (`"Events"`). */
function readCited(file: string): { notes: string[]; sections: string[] } {
	const source = readFileSync(join(projectFolder, file), 'utf8');
	const text = source.replace(/\n\s*(\*|\/\/)?/g, ' ').replace(/ +/g, ' ');
	const notes = [...text.matchAll(/field notes?((?:(?:,| and)? *\d+)+)/gi)];
	const named = [...text.matchAll(/(?:specification, |[^\w.]\()"([A-Z][\w -]+)"[,);:]/gi)];
	return {
		notes: notes.flatMap(([, numbers]) => numbers.match(/\d+/g) ?? []),
		sections: named.map(([, name]) => name),
	};
}

const cited = ['nodes', 'credentials', 'sandbox']
	.flatMap((folder) =>
		readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	)
	.map(readCited);

const rows = Object.entries(sections).flatMap(([section, ofSection]) =>
	Object.entries(ofSection).map(([row, tests]) => ({ section, row, tests })),
);

describe('the specification', () => {
	test('has all of its rows in the table', () => {
		const counted = Object.entries(sections).map(([section, ofSection]) => [
			section,
			Object.keys(ofSection).length,
		]);
		expect(Object.fromEntries(counted)).toEqual(rowsOfSections);
	});

	test.each(rows)('$section: $row is covered by tests that are there', ({ tests }) => {
		expect(tests.length).toBeGreaterThan(0);
		expect(tests.filter((name) => !known.has(name))).toEqual([]);
	});

	test('is told on its page, section by section and note by note', () => {
		const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual(expect.arrayContaining(Object.keys(sections)));
		const notes = page.slice(page.indexOf('## Field notes')).matchAll(/^(\d+)\. /gm);
		const numbers = [...notes].map(([, number]) => number);
		const ofTable = Object.keys(sections['Field notes']).map((row) => row.split(' ')[0]);
		expect(numbers).toEqual(ofTable);
		expect(numbers).toEqual(expect.arrayContaining(cited.flatMap(({ notes: all }) => all)));
		expect(
			cited.flatMap(({ sections: all }) => all).filter((name) => !headings.includes(name)),
		).toEqual([]);
	});
});
