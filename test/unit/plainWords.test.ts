import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { readTitles } from '../support/unit/readTitles';

const project = resolve(__dirname, '../..');

/** Written for the users of the package. */
const ofUsers = /^(nodes|credentials|examples)\/|^(?!sandbox\/).*\.md$/;

/** Words that a native reader stops at, and what to write instead; without `files`, everywhere. */
const rules: Array<[words: RegExp, instead: string, files?: RegExp]> = [
	[
		// Not the label and the values, which users' workflows store.
		/(?<![\w'`.-])refus(e[sd]?|ing|als?)\b(?![`':])/i,
		'The service rejects; of the node, say what was not sent',
		ofUsers,
	],
	[/\banswers?\b/i, 'response', ofUsers],
	[/\b(be|been|was|were|is|are) taken\b/i, 'accepted', ofUsers],
	[/\b(first|later|earlier|next|last) (try|tries)\b/i, 'attempt', ofUsers],
	[/\bis over\b/i, 'has ended, expires', ofUsers],
	[/\btook (it|them|the message)\b/i, 'accepted'],
	[/\bgiv(es?|ing|en) out\b|\bgave out\b/i, 'return'],
	[/\bwhat (became|becomes) of\b/i, 'the delivery status, the outcome'],
	[/\bwhoever\b/i, 'anyone who, or name them'],
	[/\banew\b/i, 'again'],
	[
		/(?<!\b(there|There) )\b(is|are) no (?!longer|more|less|later|such|different|better)[a-z]/,
		'is not a ...',
	],
	[/\bleft empty\b/i, 'Leave empty for ...'],
	[/\bunder way\b/i, 'in flight, running'],
	[/\bmade up\b|\bmakes up\b/i, 'generated, created'],
	[/\bhardly\b/i, 'probably not'],
	[/\bgave nothing\b|\bgives nothing\b/i, 'returned no value'],
	[/\bMost (Codes|Messages|Parts|Recipients)\b/, 'Max ...'],
	[/\b(another|each|every) try\b/i, 'attempt, retry'],
	[/\btwins?\b/i, 'duplicate'],
	[/\briddle\b/i, 'in doubt'],
	[/\btake it back\b|\btaken back\b/i, 'cancel, undo'],
	[/\bsees? to it\b/i, 'ensures'],
	[/\bturned away\b/i, 'rejected'],
	[/\bhalf of a\b/i, 'half a'],
	[/\bas it stands\b/i, 'unchanged'],
	[/\bin plain(?! (text|words|HTML)\b)\b/i, 'as plain text'],
	[/\bthis n8n\b/i, 'your n8n instance', ofUsers],
	[/\bthe address of (this|your) n8n\b/i, 'URL, or public IP address', ofUsers],
	[/\bIP whitelist/i, 'IP allowlist', ofUsers],
	[/\bper \w+ and (second|minute|hour|day)\b/i, 'per recipient per day', ofUsers],
	[/\bhas no option\b/i, '"fax" is not valid for Channel', ofUsers],
	[/\bpresent version\b/i, 'name the version', ofUsers],
	[/\bleft over\b/i, 'its result still contains ...', ofUsers],
	[/\b(\d+|}) [A-Z]{3} are missing\b|\bis not sufficient: .* missing/, '500 MMK short', ofUsers],
	[/\b(stand|stands) there\b/i, 'come first, are shown', ofUsers],
	[/\bEither\b[^.|]*\. Or\b/, '(1) ..., or (2) ...', ofUsers],
	[/\bweakness(es)?\b/i, 'vulnerability', ofUsers],
	[/\bhonest receipts\b/i, 'authentic receipts'],
	[/\bI take it\b|\bKeep the money\b/i, "I'll take it, Don't refund"],
	[/\bWe send you\b/i, "We'll text you a code"],
	[/\bThese were too many\b/i, 'Too many ...'],
	[
		/\b(mails|login|key) of the (demo|forms?|website)\b/i,
		'demo mail server, form login, website key',
	],
	[/\beverything runs\b/i, 'Everything is running'],
	[/\b\S*(Ctrl-C) ends\b/i, 'Press Ctrl-C to stop'],
];

const roots = ['nodes', 'credentials', 'sandbox', 'check', 'scripts', 'tools', 'docs', 'examples'];
const ofProject = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

function listFiles(path: string): string[] {
	if (!statSync(join(project, path)).isDirectory()) return [path];
	return (
		readdirSync(join(project, path))
			// What was built may be older than its source.
			.filter((name) => !['dist', 'node_modules'].includes(name))
			.flatMap((name) => listFiles(join(path, name)))
	);
}

const files = [...roots, ...ofProject]
	.flatMap(listFiles)
	.filter(
		(file) =>
			/\.(ts|md|json|ya?ml|html)$/.test(file) && !/package-lock\.json$|\.node\.json$/.test(file),
	);

/** @returns `file:line: what is written -> what to write` */
function findWords(file: string): string[] {
	const lines = readFileSync(join(project, file), 'utf8').split('\n');
	return lines.flatMap((line, index) =>
		rules.flatMap(([words, instead, files = /./]) => {
			const found = files.test(file) && words.exec(line);
			return found ? [`${file}:${index + 1}: "${found[0]}" -> ${instead}`] : [];
		}),
	);
}

test('what people read is written in plain words, in code and comments too', () => {
	expect(files.length).toBeGreaterThan(150);
	expect(files.flatMap(findWords)).toEqual([]);
});

/** Of the titles of tests, which use the words of the page that promises what they test. */
const rulesOfTitles: Array<[words: RegExp, instead: string]> = [
	[/\brefus(e[sd]?|als?|ing)\b/i, 'rejects, rejection'],
	[/\banswer(s|ed)?\b/i, 'response, responds, returns'],
	[/\b(gives?|gave)\b(?! up)/i, 'returns'],
	[/\b(is|are|was|were) taken\b|\btook\b/i, 'is accepted, accepted'],
	[
		/\btakes?\b(?! (actions|at most|less|longer|time|ten|a random|the set|too long|over))/i,
		'accepts, uses, needs',
	],
	[/\blets nobody in\b|\bturns? away\b/i, 'verifies nobody, rejects'],
	...rules
		.filter(([, , ofFiles]) => ofFiles === undefined)
		.map(([a, b]) => [a, b] as [RegExp, string]),
];

test('the titles of tests are written in the words of the pages', () => {
	const found = listFiles('test')
		.filter((file) => file.endsWith('.test.ts'))
		.flatMap((file) =>
			readTitles(join(project, file)).flatMap(({ title, line }) =>
				rulesOfTitles
					.filter(([words]) => words.test(title))
					.map(([, instead]) => `${file}:${line}: "${title}" -> ${instead}`),
			),
		);
	expect(found).toEqual([]);
});
