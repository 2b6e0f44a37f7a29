import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preProcessFile } from 'typescript';

const sandboxFolder = join(__dirname, '..', '..', '..', 'sandbox');
const readSource = (path: string) => readFileSync(join(sandboxFolder, path), 'utf8');

const files = readdirSync(sandboxFolder, { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => /^(?!node_modules\/|dist\/).*(?<!\.d)\.ts$/.test(path));

/** Own files that each file imports, types included. */
const imports = new Map(
	files.map((path) => [
		path,
		preProcessFile(readSource(path))
			.importedFiles.map(({ fileName }) => fileName)
			.filter((name) => name.startsWith('.'))
			.map((name) => `${join(dirname(path), name).replaceAll('\\', '/')}.ts`)
			.filter((name) => files.includes(name)),
	]),
);
const importsOf = (path: string) => imports.get(path)!;

/** What a file imports, directly or not. */
function closureOf(path: string, found = new Set<string>()): Set<string> {
	for (const one of importsOf(path).filter((imported) => !found.has(imported))) {
		closureOf(one, found.add(one));
	}
	return found;
}

describe('the code of the sandbox', () => {
	test('imports in no circle', () => {
		expect(files.filter((path) => closureOf(path).has(path))).toEqual([]);
	});

	test('has a service that knows nothing of what steers or shows it', () => {
		const imported = files.filter((path) => path.startsWith('service/')).flatMap(importsOf);
		const above = /^(control|ui)\/|^(index|main|server)\./;
		expect(imported.filter((path) => above.test(path))).toEqual([]);
	});
});
