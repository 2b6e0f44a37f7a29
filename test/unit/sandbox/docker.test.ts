import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import lock from '../../../sandbox/package-lock.json';
import manifest from '../../../sandbox/package.json';

const root = join(__dirname, '..', '..', '..');
const context = join(root, 'sandbox');
const read = (name: string) => readFileSync(join(context, name), 'utf8');

/** Instructions of the Dockerfile, stage by stage. */
const stages = read('Dockerfile')
	.split(/^FROM /m)
	.slice(1)
	.map((stage) => stage.split('\n').slice(1).filter(Boolean));
const [buildStage = [], runStage = []] = stages;
const ignored = read('.dockerignore').split('\n').filter(Boolean);

const findArguments = (stage: string[], word: string) =>
	stage.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

/** Does what the lines say, without an engine: no image and no user of its own. */
describe('the Dockerfile', () => {
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-docker-'));
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	test('copies only what is there', () => {
		const sources = findArguments(buildStage, 'COPY').flatMap((line) =>
			line.split(' ').slice(0, -1),
		);
		expect(sources).toContain('package-lock.json');
		expect(sources.filter((source) => !existsSync(join(context, source)))).toEqual([]);
		expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist']));
	});

	test('installs what the lock file knows', () => {
		expect(findArguments(buildStage, 'RUN')[0]).toMatch(/^npm ci /);
		expect(lock.packages[''].devDependencies).toEqual(manifest.devDependencies);
	});

	test('builds a program that starts by its command, passes its health check and keeps its data', async () => {
		const built = join(folder, 'sandbox');
		const filter = (source: string) => !ignored.includes(basename(source));
		cpSync(context, built, { recursive: true, filter });
		symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'), 'junction');
		const [, buildCommand = ''] = findArguments(buildStage, 'RUN');
		expect(buildCommand.split(' ')[0]).toBe('node');
		execFileSync(process.execPath, buildCommand.split(' ').slice(1), { cwd: built });

		const image = join(folder, 'image');
		mkdirSync(join(image, 'data'), { recursive: true });
		const copied = findArguments(runStage, 'COPY').map((line) => line.split(' '));
		for (const [, from = '', to = ''] of copied) cpSync(join(folder, from), join(image, to));

		const command = JSON.parse(findArguments(runStage, 'ENTRYPOINT')[0]!) as string[];
		const args = command.slice(1).map((one) => (one.startsWith('/') ? join(image, one) : one));
		// In the container it is reached from outside; here nobody else should reach it.
		const program = spawn(process.execPath, [...args, '--host', '127.0.0.1', '--port', '0']);
		const ended = once(program, 'close');
		const [output] = (await once(program.stdout, 'data')) as [Buffer];
		const [, port] = /localhost:(\d+)\/api/.exec(output.toString()) ?? [];
		const [, path = ''] = /http:\/\/localhost:4010(\S+)/.exec(runStage.join('\n')) ?? [];
		// The name by which the n8n beside it calls it.
		const call = request({
			host: '127.0.0.1',
			port,
			path,
			headers: { Host: 'sandbox:4010' },
		}).end();
		const [answer] = (await once(call, 'response')) as [{ statusCode: number; resume(): void }];
		answer.resume();
		program.kill();
		await ended;
		expect(answer.statusCode).toBe(200);
		expect(existsSync(join(image, 'data', 'sandbox.db'))).toBe(true);
	}, 60_000);
});

test('the compose file builds that image, and keeps the folder that its command writes', () => {
	const { services, volumes } = parse(read('compose.yaml')) as {
		services: Record<string, { build?: string; volumes: string[]; ports: string[] }>;
		volumes: object;
	};
	const { build, volumes: mounted = [], ports } = services.sandbox!;
	expect([build, ports]).toEqual(['.', ['127.0.0.1:4010:4010']]);
	const [name = '', place] = mounted[0]!.split(':');
	expect(volumes).toHaveProperty(name);
	expect(findArguments(runStage, 'VOLUME')).toEqual([place]);
	expect(findArguments(runStage, 'ENTRYPOINT')[0]).toContain(`"--data", "${place}"`);
});
