import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { devDependencies, version } from '../../package.json';
import sandbox from '../../sandbox/package.json';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('each has a reason in CONTRIBUTING.md', () => {
	const [, block] = /## Development dependencies[^]*?```\n([^]*?)```/.exec(
		read('CONTRIBUTING.md'),
	)!;
	const listed = block.split('\n').flatMap((line) => {
		const [, names] = /^ {2}([^\s,]+(?:, [^\s,]+)*)/.exec(line) ?? [];
		return names?.split(', ') ?? [];
	});
	expect(listed.sort()).toEqual(Object.keys(devDependencies).sort());
});

test('axios is called through one client', () => {
	const files = ['scripts', 'test', 'tools'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file).replaceAll('\\', '/'),
		),
	);
	const callers = files.filter(
		(file) => /\.m?ts$/.test(file) && /^(import|export) .*'axios'/m.test(read(file)),
	);
	expect(callers).toEqual(['scripts/http.ts']);
});

test('the sandbox is published with the package, in the same version', () => {
	expect(sandbox.version).toBe(version);
	const workflow = read('.github/workflows/publish.yml');
	expect(workflow).toContain('npm pack ./sandbox --pack-destination release');
	expect(workflow).toContain(`./${sandbox.name}-*.tgz`);
});
