import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { preProcessFile } from 'typescript';

const sandboxFolder = join(__dirname, '..', '..', '..', 'sandbox');

const files = readdirSync(sandboxFolder, { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter(
		(path) =>
			path.endsWith('.ts') && !path.endsWith('.d.ts') && !/^(node_modules|dist)\//.test(path),
	);

const readSource = (path: string) => readFileSync(join(sandboxFolder, path), 'utf8');

/** Own files that a file imports, types included. */
function importsOf(path: string): string[] {
	return preProcessFile(readSource(path))
		.importedFiles.map(({ fileName }) => fileName)
		.filter((name) => name.startsWith('.'))
		.map((name) => relative(sandboxFolder, resolve(sandboxFolder, dirname(path), name)))
		.filter((name) => !name.startsWith('..'))
		.map((name) => `${name.replaceAll('\\', '/')}.ts`);
}

/**
 * The files of a circle of imports that `path` is reached from again; empty when there is none.
 * @param seen files that lead to none
 */
function findCircle(path: string, trail: string[] = [], seen = new Set<string>()): string[] {
	if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
	if (seen.has(path)) return [];
	for (const imported of importsOf(path)) {
		const circle = findCircle(imported, [...trail, path], seen);
		if (circle.length > 0) return circle;
	}
	seen.add(path);
	return [];
}

describe('the code of the sandbox', () => {
	test.each(['index.ts', 'main.ts'])('imports in no circle below %s', (path) => {
		expect(findCircle(path)).toEqual([]);
	});

	test('has no file that nobody imports', () => {
		const imported = new Set(files.flatMap(importsOf));
		expect(files.filter((path) => !imported.has(path))).toEqual(['main.ts']);
	});

	test('has a service that knows nothing of what steers or shows it', () => {
		const imported = files.filter((path) => path.startsWith('service/')).flatMap(importsOf);
		expect(imported.filter((path) => /^(control|ui)\/|^(index|main|server)\./.test(path))).toEqual(
			[],
		);
	});

	test('has entities that are types of the schemas, and schemas that are data only', () => {
		expect(importsOf('entities.ts')).toEqual(['schemas.ts']);
		expect(importsOf('schemas.ts')).toEqual(['shapes.ts']);
	});

	test('is written in the style of the nodes: constants in camelCase, no ++', () => {
		const styled = files.filter((path) =>
			/\bconst [A-Z][A-Z0-9_]+\b|\+\+|--(?!-|\w)/.test(readSource(path).replace(/`[^`]*`/g, '')),
		);
		expect(styled).toEqual([]);
	});
});
