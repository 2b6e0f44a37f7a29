import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

interface Workflow {
	jobs: Record<string, { steps: Array<{ name?: string; run?: string }> }>;
}

const workflow = parse(
	readFileSync(join(__dirname, '../../.github/workflows/publish.yml'), 'utf8'),
) as Workflow;

const version = '1.2.3';
const main = `n8n-nodes-messaging-service-${version}.tgz`;
const sandbox = `messaging-service-sandbox-${version}.tgz`;

/** A registry that has these files, and refuses a version that it has, as npm does. */
const npm = `#!/usr/bin/env bash
file() { echo "$(tr '@' '-' <<< "$1").tgz"; }
case "$1" in
	view) grep --quiet --line-regexp "$(file "$2")" registry && echo "\${2##*@}" ;;
	publish)
		grep --quiet --line-regexp "$(basename "$2")" registry && exit 1
		basename "$2" >> registry ;;
	pack) grep --quiet --line-regexp "$(file "$2")" registry && touch "$4/$(file "$2")" ;;
esac
`;

// GitHub runs these steps on Linux.
(process.platform === 'win32' ? describe.skip : describe)('publish.yml', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(realpathSync(tmpdir()), 'publish-'));
		writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
		writeFileSync(join(folder, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
		for (const file of ['registry', 'env', main, sandbox]) writeFileSync(join(folder, file), '');
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	const fill = (files: string[]) =>
		writeFileSync(join(folder, 'registry'), files.map((file) => `${file}\n`).join(''));
	const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim();
	/** As GitHub runs it. */
	const run = (job: string, step: RegExp) => {
		const { run: script = '' } =
			workflow.jobs[job].steps.find(({ name }) => step.test(name ?? '')) ?? {};
		const env = { PATH: `${folder}:${process.env.PATH}`, GITHUB_REF_NAME: version };
		return spawnSync('bash', ['-e', '-c', script], {
			cwd: folder,
			env: { ...env, GITHUB_ENV: join(folder, 'env') },
		}).status;
	};

	test.each([
		['both packages', []],
		['what a run before left', [main]],
		['nothing that is there', [main, sandbox]],
	])('publishes %s', (_, there) => {
		fill(there);
		expect(run('publish', /^Publish/)).toBe(0);
		expect(read('registry').split('\n')).toEqual([main, sandbox]);
	});

	test('tests the package that was published', () => {
		fill([main]);
		expect(run('try', /^Fetch the package/)).toBe(0);
		expect(read('env')).toBe(`PACKAGE_TO_TEST=${join(folder, 'published', main)}`);
	});

	test('tests nothing else where the registry does not have it', () => {
		expect(run('try', /^Fetch the package/)).not.toBe(0);
		expect(read('env')).toBe('');
	});
});
