import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCertificate } from '../../../sandbox/tls';
import { run, waitForOutput } from '../../support/sandbox/runSandbox';

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

const phpCurl = `
[$url, $token] = array_slice($argv, 1);
$call = curl_init("$url/rest/send");
curl_setopt_array($call, [CURLOPT_RETURNTRANSFER => true, CURLOPT_POST => true,
	CURLOPT_HTTPHEADER => ["Authorization: Bearer $token", 'Content-Type: application/json'],
	CURLOPT_POSTFIELDS => json_encode(['to' => '09779123456', 'message' => 'Hello', 'from' => 'Shop'])]);
$answer = curl_exec($call) or exit(1);
echo curl_getinfo($call, CURLINFO_HTTP_CODE), ' ', json_decode($answer)->messages[0]->messageId, "\\n";`;
const shCurl = `
answer=$(curl --silent --show-error $TRUST --write-out ' %{http_code}' -H "Authorization: Bearer $2" \
	-H 'Content-Type: application/json' -d '{"to":"09779123456","message":"Hello","from":"Shop"}' "$1/rest/send") || exit 1
echo "\${answer##* } $(echo "$answer" | sed 's/.*"messageId":"\\([^"]*\\)".*/\\1/')"`;
const rubyHttp = `
require 'net/http'; require 'json'
url, token = ARGV
headers = { 'Authorization' => "Bearer #{token}", 'Content-Type' => 'application/json' }
answer = Net::HTTP.post(URI("#{url}/rest/send"), { to: '09779123456', message: 'Hello', from: 'Shop' }.to_json, headers)
puts "#{answer.code} #{JSON.parse(answer.body)['messages'][0]['messageId']}"`;
const javaHttp = `
import java.net.URI;
import java.net.http.*;
public class Send {
	public static void main(String[] args) throws Exception {
		var body = "{\\"to\\":\\"09779123456\\",\\"message\\":\\"Hello\\",\\"from\\":\\"Shop\\"}";
		var call = HttpRequest.newBuilder(URI.create(args[0] + "/rest/send"))
			.header("Authorization", "Bearer " + args[1]).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)).build();
		var answer = HttpClient.newHttpClient().send(call, HttpResponse.BodyHandlers.ofString());
		var id = answer.body().replaceFirst(".*\\"messageId\\":\\"([^\\"]*)\\".*", "$1");
		System.out.println(answer.statusCode() + " " + id);
	}
}`;
const goHttp = `
package main

import ("encoding/json"; "fmt"; "net/http"; "os"; "strings")

func main() {
	body := strings.NewReader(\`{"to":"09779123456","message":"Hello","from":"Shop"}\`)
	call, _ := http.NewRequest("POST", os.Args[1]+"/rest/send", body)
	call.Header.Set("Authorization", "Bearer "+os.Args[2])
	call.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(call)
	if err != nil { panic(err) }
	var sent struct { Messages []struct { MessageId string } }
	json.NewDecoder(answer.Body).Decode(&sent)
	fmt.Println(answer.StatusCode, sent.Messages[0].MessageId)
}`;

/** The files of the authority: as it is, and as Java wants it. */
interface Trust {
	pem: string;
	store: string;
}

interface Client {
	name: string;
	/** With its arguments; a name that ends like a file is one, with the code. */
	command: string[];
	code: string;
	trust: (trust: Trust) => Record<string, string>;
	isHere?: boolean;
}

const certFile = ({ pem }: Trust) => ({ SSL_CERT_FILE: pem });
const ofNode = {
	command: [process.execPath, '--input-type=module', '-e'],
	trust: ({ pem }: Trust) => ({ NODE_EXTRA_CA_CERTS: pem }),
};
const hasPhp = (extension: string) =>
	has('php', '-r', `exit(extension_loaded("${extension}") ? 0 : 1);`);
const clients: Client[] = [
	{ name: 'TypeScript with fetch', code: nodeFetch, ...ofNode },
	{ name: 'TypeScript with axios', code: nodeAxios, ...ofNode },
	{ name: 'TypeScript with node:https', code: nodeHttps, ...ofNode },
	{
		name: 'a shell with curl',
		command: ['sh', 'send.sh'],
		code: shCurl,
		trust: ({ pem }) => ({ TRUST: `--cacert ${pem}` }),
		isHere: has('curl', '--version'),
	},
	{
		name: 'Python with urllib',
		command: ['python3', '-c'],
		...{ code: pythonUrllib, trust: certFile, isHere: has('python3', '--version') },
	},
	{
		name: 'Python with requests',
		command: ['python3', '-c'],
		code: pythonRequests,
		trust: ({ pem }) => ({ REQUESTS_CA_BUNDLE: pem }),
		isHere: has('python3', '-c', 'import requests'),
	},
	{
		name: 'PHP with streams',
		command: ['php', '-r'],
		...{ code: phpStreams, trust: certFile, isHere: hasPhp('openssl') },
	},
	{
		name: 'PHP with curl',
		command: ['php', '-r'],
		code: phpCurl,
		// As -d does, but from outside: a folder with an ini file.
		trust: ({ pem }) => {
			const folder = mkdtempSync(join(dirname(pem), 'php-'));
			writeFileSync(join(folder, 'trust.ini'), `curl.cainfo=${pem}`);
			return { PHP_INI_SCAN_DIR: `:${folder}` };
		},
		isHere: hasPhp('curl'),
	},
	{
		name: 'Ruby',
		command: ['ruby', '-e'],
		...{ code: rubyHttp, trust: certFile, isHere: has('ruby', '--version') },
	},
	{
		name: 'Java',
		command: ['java', 'Send.java'],
		code: javaHttp,
		trust: ({ pem, store }) => {
			const keytool = 'keytool -importcert -noprompt -alias sandbox -storepass changeit';
			execFileSync('sh', ['-c', `${keytool} -file ${pem} -keystore ${store}`], { stdio: 'pipe' });
			const options = `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=changeit`;
			return { JAVA_TOOL_OPTIONS: options };
		},
		isHere: has('keytool', '-help') && has('java', '--version'),
	},
	// On other systems, Go asks the system.
	{
		name: 'Go',
		command: ['go', 'run', 'send.go'],
		...{ code: goHttp, trust: certFile },
		isHere: process.platform === 'linux' && has('go', 'version'),
	},
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

	for (const { name, command, code, trust, isHere = true } of clients) {
		const here = isHere ? test : test.skip;
		const reason = isHere ? '' : ' (skipped: this machine does not have it)';
		here(
			`a client in ${name} sends unchanged but for trust${reason}`,
			async () => {
				const isFile = command.at(-1)!.includes('.');
				if (isFile) writeFileSync(join(folder, command.at(-1)!), code);
				const [program = '', ...args] = isFile ? command : [...command, code];
				const call = (env: Record<string, string>) =>
					runFile(program, [...args, sandbox.baseUrl, sandbox.token], {
						cwd: isFile ? folder : undefined,
						env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
					});
				const files = { pem: sandbox.caFile!, store: join(folder, 'trust.p12') };
				const { stdout } = await call(trust(files));
				expect(stdout.trim()).toBe(`201 ${sandbox.messages()[0]!.messageId}`);
				const said = await call({}).then(
					(call) => call.stdout,
					() => '',
				);
				expect(said).not.toContain('201');
				expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
			},
			60_000,
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
		expect(JSON.parse(text).links.self).toBe(`${sandbox.baseUrl}/rest/messages/index?page=1`);
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

	test('puts the authority where only its user can, and leaves nothing when it ends', async () => {
		const first = await startSandbox({ tls: true });
		const second = await startSandbox({ tls: true });
		const folders = [first, second].map(({ caFile = '' }) => dirname(caFile));
		expect(new Set(folders).size).toBe(2);
		if (process.platform !== 'win32') expect(statSync(folders[0]!).mode & 0o777).toBe(0o700);
		await Promise.all([first.close(), second.close()]);
		expect(folders.filter(existsSync)).toEqual([]);
	});

	test('leaves nothing behind when it cannot start', async () => {
		const port = Number(new URL(sandbox.url).port);
		const left = () =>
			readdirSync(tmpdir()).filter((name) => name.startsWith('messaging-service-'));
		const before = left();
		await expect(startSandbox({ tls: true, port })).rejects.toThrow('EADDRINUSE');
		expect(left()).toEqual(before);
		// Nobody listens, and the data folder is free again.
		const dataFolder = join(folder, 'data');
		const caFile = join(folder, 'missing', 'ca.pem');
		await expect(startSandbox({ tls: true, caFile, dataFolder })).rejects.toThrow(
			'cannot be written',
		);
		await (await startSandbox({ tls: true, dataFolder })).close();
		expect(existsSync(join(dataFolder, 'ca.pem'))).toBe(true);
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

	test('accepts a certificate of yours', async () => {
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
