import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import lock from '../../../sandbox/package-lock.json';
import manifest from '../../../sandbox/package.json';
import { callRaw, projectFolder, useFolder } from '../../support/sandbox/harness';

const context = join(projectFolder, 'sandbox');
const read = (name: string) => readFileSync(join(context, name), 'utf8');

/** Instructions of the Dockerfile, stage by stage. */
const [buildStage = [], runStage = []] = read('Dockerfile')
	.split(/^FROM /m)
	.slice(1)
	.map((stage) => stage.split('\n').slice(1).filter(Boolean));
const ignored = read('.dockerignore').split('\n').filter(Boolean);

const findArguments = (stage: string[], word: string) =>
	stage.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

/** Does what the lines say, without an engine: no image and no user of its own. */
describe('the Dockerfile', () => {
	const at = useFolder();

	test('copies only what is there, and installs what the lock file knows', () => {
		const copies = findArguments(buildStage, 'COPY');
		const sources = copies.flatMap((line) => line.split(' ').slice(0, -1));
		expect(sources).toContain('package-lock.json');
		expect(sources.filter((source) => !existsSync(join(context, source)))).toEqual([]);
		expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist']));
		expect(findArguments(buildStage, 'RUN')[0]).toMatch(/^npm ci /);
		expect(lock.packages[''].devDependencies).toEqual(manifest.devDependencies);
	});

	test('builds a program that starts by its command and passes its health check', async () => {
		const filter = (source: string) => !ignored.includes(basename(source));
		cpSync(context, at('sandbox'), { recursive: true, filter });
		symlinkSync(join(projectFolder, 'node_modules'), at('sandbox', 'node_modules'), 'junction');
		const [, buildCommand = ''] = findArguments(buildStage, 'RUN');
		const [program, ...options] = buildCommand.split(' ');
		expect(program).toBe('node');
		execFileSync(process.execPath, options, { cwd: at('sandbox') });

		mkdirSync(at('image'));
		const copied = findArguments(runStage, 'COPY').map((line) => line.split(' '));
		for (const [, from = '', to = ''] of copied) cpSync(at(from), at('image', to));

		const command = JSON.parse(findArguments(runStage, 'ENTRYPOINT')[0]!) as string[];
		const args = command.slice(1).map((one) => (one.startsWith('/') ? at('image', one) : one));
		// In the container it is reached from outside; here nobody else should reach it.
		const started = spawn(process.execPath, [...args, '--host', '127.0.0.1', '--port', '0']);
		const ended = once(started, 'close');
		const [output] = (await once(started.stdout, 'data')) as [Buffer];
		const [, port] = /localhost:(\d+)\/api/.exec(output.toString()) ?? [];
		const [, path = ''] = /http:\/\/localhost:4010(\S+)/.exec(runStage.join('\n')) ?? [];
		// The name by which the n8n beside it calls it.
		const headers = { Host: 'sandbox:4010' };
		const { status } = await callRaw(`http://127.0.0.1:${port}${path}`, { headers });
		started.kill();
		await ended;
		expect(status).toBe(200);
	});
});

test('the compose file builds that image', () => {
	const { services } = parse(read('compose.yaml')) as {
		services: Record<string, { build?: string; ports: string[] }>;
	};
	const { build, ports } = services.sandbox!;
	expect([build, ports]).toEqual(['.', ['127.0.0.1:4010:4010']]);
});
