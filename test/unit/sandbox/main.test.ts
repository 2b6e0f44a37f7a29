import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { httpClient } from '../../../scripts/http';
import {
	onPosix,
	projectFolder,
	sleep,
	type TestedSandbox,
	useStarts,
} from '../../support/sandbox/harness';
import {
	codeWhenStopped,
	run,
	stop,
	waitForJson,
	waitForOutput,
	waitForUrl,
} from '../../support/sandbox/runSandbox';
import { processorMs } from '../../support/unit/processorTime';

const start = useStarts();
const isAlive = (url: string) =>
	fetch(`${url}/_sandbox/livez`).then(
		() => true,
		() => false,
	);
const readBalance = async (url: string, credentials: string) => {
	const headers = { Authorization: `Bearer ${btoa(credentials)}` };
	return (await httpClient.get(`${url}/api/rest/account/get-balance`, { headers })).data as object;
};

describe('npm run sandbox', () => {
	test('starts with the given options, and Ctrl-C stops it', async () => {
		const started = run('--port', '0', '--api-key', 'k', '--api-secret', 's', '--balance', '12');
		const url = await waitForUrl(started);
		expect(started.output()).not.toMatch(/API secret/);
		expect(await readBalance(url, 'k:s')).toEqual({ balance: 12, currency: 'MMK' });
		expect(await stop(started, 'SIGINT')).toBe(codeWhenStopped);
	});

	test('prints what one needs to try it: key, secret, and a curl line that works when pasted', async () => {
		const started = run('--port', '0', '--pace', '0');
		const [, line = ''] = await waitForOutput(started, /^ +(curl .+)$/m);
		expect(started.output()).toMatch(/API key +demo-key\n +API secret +demo-secret\n/);
		const programs = ['curl', 'sh'];
		const hasCurl = programs.every((one) => spawnSync(one, ['--version']).error === undefined);
		// Without them, what the line sends is not tried.
		if (!hasCurl) return;
		const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --noproxy '*'`]);
		expect(JSON.parse(stdout)).toMatchObject({ messages: [{ status: 'Accepted' }] });
	});

	test('writes one line of JSON when it is ready, with --json', async () => {
		const started = run('--port', '0', '--json');
		const ready = await waitForJson(started);
		expect(ready).toEqual({
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
			...{ baseUrl: `${ready.url}/api`, inbox: `${ready.url}/_sandbox` },
			...{ key: 'demo-key', secret: 'demo-secret', pid: started.process.pid },
		});
		expect(await readBalance(ready.url!, 'demo-key:demo-secret')).toHaveProperty('balance');
		await stop(started);
		expect(started.output()).toBe(`${JSON.stringify(ready)}\n`);
	});

	test.each([
		['127.0.0.1', false],
		['0.0.0.0', true],
	])('on %s it warns of strangers: %p', async (host, warns) => {
		const started = run('--port', '0', '--host', host, '--api-key', 'k');
		await waitForOutput(started, warns ? /Warning: it listens on 0\.0\.0\.0/ : /API key +k\n/);
		expect(await stop(started, 'SIGTERM')).toBe(codeWhenStopped);
		expect(started.output().includes('Warning')).toBe(warns);
	});

	test('accepts every setting, and a reset does not undo them', async () => {
		const settings = ['pace=0', 'historySender=INFO', 'balance=7', 'strictFlags=all'];
		const url = await waitForUrl(run('--port', '0', ...settings.flatMap((one) => ['--set', one])));
		const control = httpClient.create({ baseURL: `${url}/_sandbox/api` });
		await control.put('/settings', { pace: 5, strictFlags: 'none' });
		await control.post('/reset', {});
		const wanted = { strictFlags: 'all', balance: 7, pace: 0, historySender: 'INFO' };
		expect((await control.get('/settings')).data).toMatchObject(wanted);
	});

	onPosix('ends with its npm, which writes nothing of its own with --silent', async () => {
		const args = ['run', '--silent', 'sandbox', '--', '--port', '0', '--json'];
		const stdio = ['ignore', 'pipe', 'inherit'] as const;
		const npm = spawn('npm', args, { cwd: projectFolder, stdio: [...stdio] });
		const [line] = (await once(npm.stdout!, 'data')) as [Buffer];
		const { url } = JSON.parse(line.toString()) as { url: string };
		expect(await isAlive(url)).toBe(true);
		npm.kill();
		await once(npm, 'exit');
		for (let waited = 0; waited < 50 && (await isAlive(url)); waited += 1) await sleep(100);
		expect(await isAlive(url)).toBe(false);
	});

	test('reports that a port is in use', async () => {
		const { port } = new URL((await start()).url);
		const started = run('--port', port);
		expect(await started.ended).toBe(1);
		expect(started.output()).toBe(
			`Port ${port} is in use. Stop the program that uses it, or choose another port with --port.\n`,
		);
	});

	const nowhere = '/nonexistent/x';
	test.each([
		[['--port', 'x'], 'port must be a number, not "x".\n'],
		[['--port', '70000'], 'port must be a number up to 65535, not 70000.\n'],
		[['--port', '1.5'], 'port must be a whole number, not 1.5.\n'],
		[['--port', ''], 'port must be a number, not "".\n'],
		[['--host', '192.0.2.1'], 'The sandbox cannot listen on 192.0.2.1'],
		[['--set', 'whitelist=["10.0.0.0/8"]'], 'whitelist[0] must be an IP address'],
		[['--api-key', ''], 'apiKey must be a text that is not empty, not "".\n'],
		[['--receipt-url', 'x'], 'defaultReceiptUrl must be empty or a URL such as http'],
		[['--set', 'pase=0'], '--set requires the name of a setting and a value'],
		[['--set', 'pace=fast'], 'pace must be a number, not "fast".\n'],
		[['--unknown'], "Unknown option '--unknown'"],
		[['--seed', nowhere], `The seed file ${nowhere} cannot be`],
	])('%j gets a response in words', async (options, words) => {
		const started = run('--port', '0', ...options);
		expect(await started.ended).toBe(1);
		expect(started.output()).toMatch(/^.+\n$/);
		expect(started.output()).toContain(words);
	});

	test('--help shows its options', async () => {
		const started = run('--help');
		expect(await started.ended).toBe(0);
		expect(started.output()).toContain('Usage: npm run sandbox');
	});
});

test('starts with 300 ms of processor time, eight at once, each on a port of its own', async () => {
	let all: TestedSandbox[] = [];
	const startAll = async () => {
		all = await Promise.all(Array.from({ length: 8 }, () => start()));
	};
	expect((await processorMs(startAll)) / 8).toBeLessThan(300);
	expect(new Set(all.map(({ url }) => url)).size).toBe(8);
	await all[0]!.send();
	expect(all.map((one) => one.messages().length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
});
