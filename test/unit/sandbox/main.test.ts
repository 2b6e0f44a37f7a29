import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { httpClient } from '../../../scripts/http';
import { codeWhenStopped, run, waitForOutput } from '../../support/sandbox/runSandbox';

const root = join(__dirname, '..', '..', '..');
const onPosix = process.platform === 'win32' ? test.skip : test;

describe('npm run sandbox', () => {
	test('starts with the given options, and Ctrl-C stops it', async () => {
		const started = run('--port', '0', '--api-key', 'k', '--api-secret', 's', '--balance', '12');
		const [, baseUrl] = await waitForOutput(started, /Base URL +(\S+)/);
		expect(started.output()).not.toMatch(/API secret/);
		const { data } = await httpClient.get(`${baseUrl}/rest/account/get-balance`, {
			headers: { Authorization: `Bearer ${btoa('k:s')}` },
		});
		expect(data).toEqual({ balance: 12, currency: 'MMK' });
		started.process.kill('SIGINT');
		expect(await started.ended).toBe(codeWhenStopped);
	}, 60_000);

	test('prints what one needs to try it: key, secret, and a curl line that works when pasted', async () => {
		const started = run('--port', '0', '--pace', '0');
		const [, line = ''] = await waitForOutput(started, /^ +(curl .+)$/m);
		expect(started.output()).toMatch(/API key +demo-key\n +API secret +demo-secret\n/);
		const programs = ['curl', 'sh'];
		const hasCurl = programs.every((one) => spawnSync(one, ['--version']).error === undefined);
		// Without them, what the line sends is not tried.
		if (hasCurl) {
			const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --noproxy '*'`]);
			expect(JSON.parse(stdout)).toMatchObject({ messages: [{ status: 'Accepted' }] });
		}
		started.process.kill('SIGINT');
		await started.ended;
	}, 60_000);

	test.each([
		['127.0.0.1', false],
		['0.0.0.0', true],
	])(
		'on %s it warns of strangers: %p',
		async (host, warns) => {
			const started = run('--port', '0', '--host', host, '--api-key', 'k');
			await waitForOutput(started, warns ? /Warning: it listens on 0\.0\.0\.0/ : /API key +k\n/);
			started.process.kill('SIGTERM');
			expect(await started.ended).toBe(codeWhenStopped);
			expect(started.output().includes('Warning')).toBe(warns);
		},
		60_000,
	);

	test('accepts every setting, and a reset does not undo them', async () => {
		const settings = ['pace=0', 'historySender=INFO', 'balance=7', 'strictFlags=all'];
		const started = run('--port', '0', ...settings.flatMap((one) => ['--set', one]));
		const [, baseUrl] = await waitForOutput(started, /Base URL +(\S+)\/api/);
		const control = httpClient.create({ baseURL: `${baseUrl}/_sandbox/api` });
		await control.put('/settings', { pace: 5, strictFlags: 'none' });
		await control.post('/reset', {});
		const wanted = { strictFlags: 'all', balance: 7, pace: 0, historySender: 'INFO' };
		expect((await control.get('/settings')).data).toMatchObject(wanted);
		started.process.kill('SIGINT');
		await started.ended;
	}, 60_000);

	onPosix(
		'ends with the npm that runs it, which writes nothing of its own with --silent',
		async () => {
			const args = ['run', '--silent', 'sandbox', '--', '--port', '0', '--json'];
			const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
			const [line] = (await once(npm.stdout, 'data')) as [Buffer];
			const { url } = JSON.parse(line.toString()) as { url: string };
			const isAlive = () =>
				fetch(`${url}/_sandbox/livez`).then(
					() => true,
					() => false,
				);
			expect(await isAlive()).toBe(true);
			npm.kill();
			await once(npm, 'exit');
			const endsAt = Date.now() + 5_000;
			while ((await isAlive()) && Date.now() < endsAt) await sleep(100);
			expect(await isAlive()).toBe(false);
		},
		60_000,
	);

	test('reports that a port is in use', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const started = run('--port', String(port));
		expect(await started.ended).toBe(1);
		expect(started.output()).toBe(
			`Port ${port} is in use. Stop the program that uses it, or choose another port with --port.\n`,
		);
		server.close();
	}, 60_000);

	test.each([
		[['--port', 'x'], 'port must be a number, not "x".\n', 1],
		[['--port', '70000'], 'port must be a number up to 65535, not 70000.\n', 1],
		[['--port', '1.5'], 'port must be a whole number, not 1.5.\n', 1],
		[['--port', '0', '--host', '192.0.2.1'], 'The sandbox cannot listen on 192.0.2.1', 1],
		[['--set', 'whitelist=["10.0.0.0/8"]'], 'whitelist[0] must be an IP address', 1],
		[['--port', ''], 'port must be a number, not "".\n', 1],
		[['--api-key', ''], 'apiKey must be a text that is not empty, not "".\n', 1],
		[['--receipt-url', 'x'], 'defaultReceiptUrl must be empty or a URL such as http', 1],
		[['--set', 'pase=0'], '--set requires the name of a setting and a value', 1],
		[['--set', 'pace=fast'], 'pace must be a number, not "fast".\n', 1],
		[['--unknown'], "Unknown option '--unknown'", 1],
		[
			['--port', '0', '--json', '--tls', '--ca-file', '/nonexistent/x'],
			'The file /nonexistent/x cannot be written: ENOENT',
			1,
		],
		[
			['--port', '0', '--tls-cert', '/nonexistent/x', '--tls-key', '/nonexistent/y'],
			"ENOENT: no such file or directory, open '/nonexistent/x'",
			1,
		],
		[
			['--port', '0', '--tls-cert', __filename, '--tls-key', __filename],
			'The certificate and key cannot be used: ',
			1,
		],
		[['--port', '0', '--seed', '/nonexistent/x'], 'The seed file /nonexistent/x cannot be', 1],
		[['--port', '0', '--data', join(__filename, 'x')], 'cannot be used: ENOTDIR', 1],
		[['--help'], 'Usage: npm run sandbox', 0],
	])(
		'%j gets a response in words',
		async (options, words, code) => {
			const started = run(...options);
			expect(await started.ended).toBe(code);
			expect(started.output()).toContain(words);
			if (code === 1) expect(started.output()).toMatch(/^.+\n$/);
		},
		60_000,
	);
});
