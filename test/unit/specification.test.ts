import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	createSourceFile,
	forEachChild,
	isCallExpression,
	isStringLiteralLike,
	ScriptTarget,
	type Node,
} from 'typescript';

import specification from '../specification.json';

const testFolder = join(__dirname, '..');

/** Every row of the service's specification, and of the notes on what it leaves open: section, row, tests. */
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
	'Field notes, methods': 6,
	'Field notes': 14,
};

/** The titles of all `test(...)` and `test.each(...)(...)` of a file. */
function readTitles(file: string): string[] {
	const text = readFileSync(join(testFolder, file), 'utf8');
	const titles: string[] = [];
	const visit = (node: Node): void => {
		if (isCallExpression(node)) {
			const [title] = node.arguments;
			const isTest = /^test\b/.test(node.expression.getText());
			if (isTest && title && isStringLiteralLike(title)) titles.push(title.text);
		}
		forEachChild(node, visit);
	};
	visit(createSourceFile(file, text, ScriptTarget.Latest, true));
	return titles;
}

const files = readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.test.ts'));
const known = new Set(
	files.flatMap((file) => readTitles(file).map((title) => `${file} › ${title}`)),
);

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
});
