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

/** Where a field of a send request is told, by hand: after a text, up to another. */
const placesOfFields: Array<[file: string, after: string, until: string, field: RegExp]> = [
	['nodes/shared/client/types.ts', 'interface SendRequest {', '\n}', /^\t(\w+)\??:/gm],
	['docs/sms-send.md', '## Fields and options', '\n## ', /`(\w+)`/g],
	['docs/service.md', 'POST `/rest/send` ', '\n', /`(\w+)`/g],
	['docs/openapi.yaml', '    SendRequest:', '    BulkRequest', /^ {8}(\w+):/gm],
	['sandbox/SERVICE.md', '### Send request', '\n###', /`(\w+)`/g],
	['sandbox/service/endpoints.ts', 'const sendFields', '/rest/send/bulk', /'(\w+)'/g],
	['test/specification.json', '"Send request"', '"several', /^\t\t"(\w+)"/gm],
];

test('each field of a send request is in each of its places', () => {
	const places = placesOfFields.map(([file, after, until, field]) => {
		const [, text = ''] = readFileSync(join(projectFolder, file), 'utf8').split(after);
		return { file, names: [...text.split(until)[0].matchAll(field)].map(([, name]) => name) };
	});
	// The code, the service's OpenAPI document and the specification name nothing else.
	const fields = new Set([places[0], places[3], places[6]].flatMap(({ names }) => names));
	const missing = places.map(({ file, names }) => [
		file,
		[...fields].filter((one) => !names.includes(one)),
	]);
	expect(fields.size).toBeGreaterThan(9);
	expect(Object.fromEntries(missing)).toEqual(
		Object.fromEntries(places.map(({ file }) => [file, []])),
	);
});
