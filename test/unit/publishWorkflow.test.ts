import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';
import ofSandbox from '../../sandbox/package.json';
import { useFolder } from '../support/useFolder';

interface Workflow {
	jobs: Record<string, { steps: Array<{ name?: string; run?: string }> }>;
}

const file = readFileSync(join(__dirname, '../../.github/workflows/publish.yml'), 'utf8');
const workflow = parse(file) as Workflow;

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
	const at = useFolder();
	beforeEach(() => {
		writeFileSync(at('npm'), npm, { mode: 0o755 });
		writeFileSync(at('sleep'), '#!/bin/sh\n', { mode: 0o755 });
		for (const name of ['registry', 'env', main, sandbox]) writeFileSync(at(name), '');
	});

	const fill = (files: string[]) =>
		writeFileSync(at('registry'), files.map((file) => `${file}\n`).join(''));
	const read = (name: string) => readFileSync(at(name), 'utf8').trim();
	/** As GitHub runs it. */
	const run = (job: string, step: RegExp) => {
		const { run: script = '' } =
			workflow.jobs[job].steps.find(({ name }) => step.test(name ?? '')) ?? {};
		const env = { PATH: `${at()}:${process.env.PATH}`, GITHUB_REF_NAME: version };
		return spawnSync('bash', ['-e', '-c', script], {
			cwd: at(),
			env: { ...env, GITHUB_ENV: at('env') },
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
		expect(read('env')).toBe(`PACKAGE_TO_TEST=${at('published', main)}`);
	});

	test('tests nothing else where the registry does not have it', () => {
		expect(run('try', /^Fetch the package/)).not.toBe(0);
		expect(read('env')).toBe('');
	});
});

test('the sandbox is published with the package, in the same version', () => {
	expect(ofSandbox.version).toBe(manifest.version);
	expect(file).toContain('npm pack ./sandbox --pack-destination release');
	expect(file).toContain(`for name in n8n-nodes-messaging-service ${ofSandbox.name};`);
});
