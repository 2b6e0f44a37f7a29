import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCertificate } from '../../../sandbox/tls';
import { run, waitForOutput } from './runSandbox';

/** Whether a command can be run here; a client of its language is skipped otherwise. */
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

const runFile = promisify(execFile);

/** Clients as they are published: the address is all that they are given. They print the status and the ID. */
const nodeFetch = `
	const [url, token] = process.argv.slice(1);
	const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
	const body = JSON.stringify({ to: '09779123456', message: 'Hello', from: 'Shop' });
	const answer = await fetch(url + '/rest/send', { method: 'POST', headers, body });
	console.log(answer.status, (await answer.json()).messages[0].messageId);`;
const nodeAxios = `
	import axios from 'axios';
	const [url, token] = process.argv.slice(1);
	const headers = { authorization: 'Bearer ' + token };
	const body = { to: '09779123456', message: 'Hello', from: 'Shop' };
	const { status, data } = await axios.post(url + '/rest/send', body, { headers, proxy: false });
	console.log(status, data.messages[0].messageId);`;
const nodeHttps = `
	import { request } from 'node:https';
	const [url, token] = process.argv.slice(1);
	const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
	const call = request(url + '/rest/send', { method: 'POST', headers }, async (answer) => {
		const chunks = await answer.toArray();
		console.log(answer.statusCode, JSON.parse(Buffer.concat(chunks)).messages[0].messageId);
	});
	call.end(JSON.stringify({ to: '09779123456', message: 'Hello', from: 'Shop' }));`;
const pythonUrllib = `
import json, sys, urllib.request
url, token = sys.argv[1:]
body = json.dumps({'to': '09779123456', 'message': 'Hello', 'from': 'Shop'}).encode()
headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'}
answer = urllib.request.urlopen(urllib.request.Request(url + '/rest/send', body, headers))
print(answer.status, json.load(answer)['messages'][0]['messageId'])`;
const pythonRequests = `
import requests, sys
url, token = sys.argv[1:]
body = {'to': '09779123456', 'message': 'Hello', 'from': 'Shop'}
answer = requests.post(url + '/rest/send', json=body, headers={'Authorization': 'Bearer ' + token})
print(answer.status_code, answer.json()['messages'][0]['messageId'])`;
const phpStreams = `
[$url, $token] = array_slice($argv, 1);
$http = ['method' => 'POST', 'header' => "Authorization: Bearer $token\\r\\nContent-Type: application/json",
	'content' => json_encode(['to' => '09779123456', 'message' => 'Hello', 'from' => 'Shop'])];
$answer = file_get_contents("$url/rest/send", false, stream_context_create(['http' => $http]));
preg_match('/ (\\d+)/', $http_response_header[0], $status);
echo $status[1], ' ', json_decode($answer)->messages[0]->messageId, "\\n";`;

const asModule = ['--input-type=module', '-e'];
const clients: Array<
	[name: string, command: string, args: string[], code: string, isHere: boolean]
> = [
	['TypeScript with fetch', process.execPath, asModule, nodeFetch, true],
	['TypeScript with axios', process.execPath, asModule, nodeAxios, true],
	['TypeScript with node:https', process.execPath, asModule, nodeHttps, true],
	['Python with urllib', 'python3', ['-c'], pythonUrllib, has('python3', '--version')],
	[
		'Python with requests',
		'python3',
		['-c'],
		pythonRequests,
		has('python3', '-c', 'import requests'),
	],
	[
		'PHP with streams',
		'php',
		['-r'],
		phpStreams,
		has('php', '-r', 'exit(extension_loaded("openssl") ? 0 : 1);'),
	],
];

describe('the sandbox over TLS', () => {
	let sandbox: Sandbox;
	let folder: string;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-tls-'));
		sandbox = await startSandbox({ pace: 0, tls: true, caFile: join(folder, 'ca.pem') });
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.close();
		rmSync(folder, { recursive: true });
	});

	const trust = () => ({
		NODE_EXTRA_CA_CERTS: sandbox.caFile,
		SSL_CERT_FILE: sandbox.caFile,
		REQUESTS_CA_BUNDLE: sandbox.caFile,
	});

	for (const [name, command, args, code, isHere] of clients) {
		const here = isHere ? test : test.skip;
		const reason = isHere ? '' : ' (skipped: this machine does not have it)';
		here(
			`a client in ${name} sends unchanged but for trust${reason}`,
			async () => {
				const given = [...args, code, sandbox.baseUrl, sandbox.token];
				const { stdout } = await runFile(command, given, {
					env: { PATH: process.env.PATH, HOME: process.env.HOME, ...trust() },
				});
				expect(stdout.trim()).toBe(`201 ${sandbox.messages()[0]!.messageId}`);
				const withoutTrust = runFile(command, given, {
					env: { PATH: process.env.PATH, HOME: process.env.HOME },
				});
				await expect(withoutTrust).rejects.toThrow();
				expect(sandbox.messages()).toHaveLength(1);
			},
			30_000,
		);
	}

	test('says in links, as in its URL, that it is HTTPS', async () => {
		expect(sandbox.url).toMatch(/^https:/);
		const ca = readFileSync(sandbox.caFile!);
		const headers = { Authorization: `Bearer ${sandbox.token}` };
		const text = await new Promise<string>((resolve, reject) => {
			const url = `${sandbox.baseUrl}/rest/messages`;
			request(url, { ca, headers }, (answer) => {
				void answer.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()));
			})
				.once('error', reject)
				.end();
		});
		expect(JSON.parse(text).links.self).toBe(`${sandbox.baseUrl}/rest/messages?page=1`);
	});

	test('is reached by the name that a client has in its code, once hosts leads it here', async () => {
		const named = await startSandbox({
			...{ pace: 0, tls: true, allowedHosts: ['sms.example.com'] },
			caFile: join(folder, 'named.pem'),
		});
		const status = await new Promise((resolve, reject) => {
			const { port } = new URL(named.url);
			const options = {
				...{ host: '127.0.0.1', port, path: '/api/rest/account/get-balance' },
				...{ servername: 'sms.example.com', ca: readFileSync(named.caFile!) },
				headers: { Host: 'sms.example.com', Authorization: `Bearer ${named.token}` },
			};
			request(options, (answer) => resolve(answer.resume().statusCode))
				.once('error', reject)
				.end();
		});
		await named.close();
		expect(status).toBe(201);
	});

	test('is started by --tls, --tls-cert and --tls-key, and names the authority', async () => {
		const caFile = join(folder, 'cli.pem');
		const own = run('--port', '0', '--tls', '--ca-file', caFile);
		const [, url] = await waitForOutput(own, /Base URL +(https:\S+)\/api/);
		for (const words of ['NODE_EXTRA_CA_CERTS', 'curl --cacert', 'SSL_CERT_FILE', caFile]) {
			expect(own.output()).toContain(words);
		}
		own.process.kill();
		await own.ended;
		expect(url).toMatch(/^https:\/\/localhost/);
		const half = run('--port', '0', '--tls-cert', caFile);
		expect(await half.ended).toBe(1);
		expect(half.output()).toContain('--tls-cert and --tls-key go together');
	}, 60_000);

	test('takes a certificate of yours', async () => {
		const { cert, key, authority } = createCertificate(['127.0.0.1']);
		writeFileSync(join(folder, 'cert.pem'), cert);
		writeFileSync(join(folder, 'key.pem'), key);
		const files = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
		const started = run('--port', '0', '--json', ...files);
		const [line] = await waitForOutput(started, /^\{.+\}\n/);
		const { url } = JSON.parse(line) as { url: string };
		const status = await new Promise((resolve, reject) => {
			request(`${url}/_sandbox/livez`, { ca: authority }, (answer) =>
				resolve(answer.resume().statusCode),
			)
				.once('error', reject)
				.end();
		});
		started.process.kill();
		await started.ended;
		expect(status).toBe(200);
	}, 60_000);
});
