import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { createSourceFile, forEachChild, ScriptTarget, SyntaxKind, type Node } from 'typescript';

import { readTitles } from '../support/unit/readTitles';

const root = join(__dirname, '../..');
const listFiles = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		join(folder, file).replaceAll('\\', '/'),
	);

/** What only means something together is tested together, in the test of the node or of what it promises. */
const together: Record<string, string> = {
	'nodes/SmsList/Sheet.ts': 'test/workflow/SmsList.test.ts',
	'nodes/OtpRequest/otpOptions.ts': 'test/workflow/otpLimits.test.ts',
	'nodes/SmsHistory/filters.ts': 'test/workflow/SmsHistory.test.ts',
	'nodes/SmsReceiptTrigger/receive.ts': 'test/unit/SmsReceiptTrigger/SmsReceiptTrigger.test.ts',
	'nodes/SmsSendAndWait/receive.ts': 'test/workflow/SmsSendAndWait.test.ts',
	'nodes/shared/input/notation.ts': 'test/unit/shared/input/number.test.ts',
	'nodes/shared/delivery/deliver.ts': 'test/workflow/outcomeUnknown.test.ts',
	'nodes/shared/delivery/send.ts': 'test/workflow/retryOnFail.test.ts',
	'nodes/shared/delivery/turns.ts': 'test/workflow/sameMessage.test.ts',
	'nodes/shared/sending/sendOne.ts': 'test/workflow/SmsSendAndWait.test.ts',
	'nodes/shared/sending/sendItems.ts': 'test/workflow/SmsSend.test.ts',
};

const behaviour = [
	...[SyntaxKind.FunctionDeclaration, SyntaxKind.MethodDeclaration],
	...[SyntaxKind.ArrowFunction, SyntaxKind.FunctionExpression],
];

/** Types and tables have none. */
function hasBehaviour(path: string): boolean {
	const text = readFileSync(join(root, path), 'utf8');
	const isFound = (node: Node): boolean =>
		behaviour.includes(node.kind) ||
		forEachChild(node, (child) => isFound(child) || undefined) === true;
	return isFound(createSourceFile(path, text, ScriptTarget.Latest, true));
}

/** The identity card of a node and its operation are tested under the name of the node. */
function nameOf(path: string): string {
	const isOfNode = /\.(node|operation)\.ts$/.test(path);
	return isOfNode ? basename(dirname(path)) : basename(path).replace(/(\.credentials)?\.ts$/, '');
}

/** A file, or a block of the test of a neighbor, where a file would hold little. */
function isTestOf(file: string, path: string): boolean {
	if (basename(file) === `${nameOf(path)}.test.ts`) return true;
	const isNeighbor = dirname(file).replace('test/unit', 'nodes') === dirname(path);
	return isNeighbor && readTitles(join(root, file)).some(({ title }) => title === nameOf(path));
}

const tests = listFiles('test').filter((path) => path.endsWith('.test.ts'));
const shipped = [...listFiles('nodes'), ...listFiles('credentials')].filter((path) =>
	path.endsWith('.ts'),
);

/** Each file with those that it imports, types too. */
const imports = new Map(
	shipped.map((path) => [
		path,
		[...readFileSync(join(root, path), 'utf8').matchAll(/from '(\.[^']+)'/g)]
			.map(([, to]) => `${join(dirname(path), to).replaceAll('\\', '/')}.ts`)
			.filter((file) => shipped.includes(file)),
	]),
);

/** What a file imports, directly or not. */
function closureOf(path: string): Set<string> {
	const found = new Set<string>();
	const add = (file: string) => {
		for (const one of imports.get(file) ?? []) {
			if (found.has(one)) continue;
			found.add(one);
			add(one);
		}
	};
	add(path);
	return found;
}

test('no file imports itself through others', () => {
	expect(shipped.filter((path) => closureOf(path).has(path))).toEqual([]);
});

describe('the tests', () => {
	test.each(shipped.filter(hasBehaviour))('%s has one that is named after it', (path) => {
		const named = tests.filter((file) => isTestOf(file, path));
		const found = path in together ? tests.filter((file) => file === together[path]) : named;
		const missing =
			found.length > 0 ? [] : [`test/**/${nameOf(path)}.test.ts, or a row in together`];
		expect(missing).toEqual([]);
	});

	test('of what is tested together are few, and of files that are there', () => {
		expect(Object.keys(together).filter((path) => !shipped.includes(path))).toEqual([]);
		expect(Object.keys(together).length).toBeLessThanOrEqual(11);
	});
});

/** They run before n8n is installed, and in a clone that has none. */
test('no test in process reads the installed n8n', () => {
	const ofN8n = /^test\/(support\/)?(e2e|queue|n8nMcp)\//;
	const inProcess = listFiles('test').filter((path) => /\.c?ts$/.test(path) && !ofN8n.test(path));
	const reads = /n8n-host(-1)?\/node_modules|\b(hostFolder|n8nProgram)\b/;
	const found = inProcess.filter((path) => reads.test(readFileSync(join(root, path), 'utf8')));
	expect(found).toEqual(['test/unit/structure.test.ts']);
});

/** Later changes may lower these, and not raise them: whoever needs room removes something first. */
const mostLines = { nodes: 12_000, 'nodes/shared/delivery': 1450, test: 38_500 };

test.each(Object.entries(mostLines))('%s has at most %i lines of TypeScript', (folder, most) => {
	const isOurs = (path: string) => path.endsWith('.ts') && !path.includes('node_modules/');
	const files = listFiles(folder).filter(isOurs);
	const texts = files.map((path) => readFileSync(join(root, path), 'utf8'));
	const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
	expect(lines).toBeGreaterThan(0);
	expect(lines).toBeLessThanOrEqual(most);
});
