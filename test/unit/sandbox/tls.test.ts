import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../../sandbox';
import { createCertificate } from '../../../sandbox/tls';
import { callRaw, useFolder, useStarts } from '../../support/sandbox/harness';
import { run, waitForJson, waitForUrl } from '../../support/sandbox/runSandbox';

const runFile = promisify(execFile);
/** Whether a command can be run here; a client of its language is skipped otherwise. */
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const hasPhp = (extension: string) =>
	has('php', '-r', `exit(extension_loaded("${extension}") ? 0 : 1);`);

/* Clients that get URL, token and body, and nothing about trust. They print the status and the response. */
const nodeFetch = `
	const [url, token, body] = process.argv.slice(1);
	const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
	const answer = await fetch(url, { method: 'POST', headers, body });
	console.log(answer.status, await answer.text());`;
const nodeHttps = `
	import { request } from 'node:https';
	const [url, token, body] = process.argv.slice(1);
	const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
	const call = request(url, { method: 'POST', headers }, async (answer) => {
		console.log(answer.statusCode, Buffer.concat(await answer.toArray()).toString());
	});
	call.end(body);`;
const shCurl = `
curl --silent --show-error $TRUST --write-out ' %{http_code}' -H "Authorization: Bearer $2" \
	-H 'Content-Type: application/json' -d "$3" "$1"`;
const pythonUrllib = `
import sys, urllib.request
url, token, body = sys.argv[1:]
headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'}
answer = urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers))
print(answer.status, answer.read().decode())`;
const pythonRequests = `
import requests, sys
url, token, body = sys.argv[1:]
headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'}
answer = requests.post(url, data=body, headers=headers)
print(answer.status_code, answer.text)`;
const phpStreams = `
[$url, $token, $body] = array_slice($argv, 1);
$header = "Authorization: Bearer $token\\r\\nContent-Type: application/json";
$http = ['method' => 'POST', 'header' => $header, 'content' => $body];
$answer = file_get_contents($url, false, stream_context_create(['http' => $http]));
echo $http_response_header[0], ' ', $answer, "\\n";`;
const phpCurl = `
[$url, $token, $body] = array_slice($argv, 1);
$call = curl_init($url);
$headers = ["Authorization: Bearer $token", 'Content-Type: application/json'];
curl_setopt_array($call, [CURLOPT_RETURNTRANSFER => true, CURLOPT_POST => true,
	CURLOPT_HTTPHEADER => $headers, CURLOPT_POSTFIELDS => $body]);
$answer = curl_exec($call) or exit(1);
echo curl_getinfo($call, CURLINFO_HTTP_CODE), ' ', $answer, "\\n";`;
const rubyHttp = `
require 'net/http'
url, token, body = ARGV
headers = { 'Authorization' => "Bearer #{token}", 'Content-Type' => 'application/json' }
answer = Net::HTTP.post(URI(url), body, headers)
puts "#{answer.code} #{answer.body}"`;
const javaHttp = `
import java.net.URI;
import java.net.http.*;
public class Send {
	public static void main(String[] args) throws Exception {
		var call = HttpRequest.newBuilder(URI.create(args[0]))
			.header("Authorization", "Bearer " + args[1]).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(args[2])).build();
		var answer = HttpClient.newHttpClient().send(call, HttpResponse.BodyHandlers.ofString());
		System.out.println(answer.statusCode() + " " + answer.body());
	}
}`;
const goHttp = `
package main

import ("fmt"; "io"; "net/http"; "os"; "strings")

func main() {
	call, _ := http.NewRequest("POST", os.Args[1], strings.NewReader(os.Args[3]))
	call.Header.Set("Authorization", "Bearer "+os.Args[2])
	call.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(call)
	if err != nil { panic(err) }
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(body))
}`;

/** From outside, what `php -d curl.cainfo` does: a folder with an ini file. */
function trustByIni(pem: string) {
	const folder = `${pem}.php`;
	mkdirSync(folder);
	writeFileSync(join(folder, 'trust.ini'), `curl.cainfo=${pem}`);
	return { PHP_INI_SCAN_DIR: `:${folder}` };
}

function trustByKeytool(pem: string) {
	const keytool = 'keytool -importcert -noprompt -alias sandbox -storepass changeit';
	execFileSync('sh', ['-c', `${keytool} -file ${pem} -keystore ${pem}.p12`], { stdio: 'pipe' });
	const store = '-Djavax.net.ssl.trustStore';
	return { JAVA_TOOL_OPTIONS: `${store}=${pem}.p12 ${store}Password=changeit` };
}

type Trust = (pem: string) => Record<string, string>;
const certFile: Trust = (pem) => ({ SSL_CERT_FILE: pem });
const bundle: Trust = (pem) => ({ REQUESTS_CA_BUNDLE: pem });
const extra: Trust = (pem) => ({ NODE_EXTRA_CA_CERTS: pem });
const byOption: Trust = (pem) => ({ TRUST: `--cacert ${pem}` });
const node = [process.execPath, '--input-type=module', '-e'];
const python = ['python3', '-c'];
const hasRequests = has('python3', '-c', 'import requests');
/** On other systems, Go asks the system. */
const hasGo = process.platform === 'linux' && has('go', 'version');
const hasJava = has('keytool', '-help') && has('java', '--version');

/** A command whose last word ends like a file gets the code in that file. */
const clients: Array<[name: string, isHere: boolean, command: string[], code: string, Trust]> = [
	['TypeScript with fetch', true, node, nodeFetch, extra],
	['TypeScript with node:https', true, node, nodeHttps, extra],
	['a shell with curl', has('curl', '--version'), ['sh', 'send.sh'], shCurl, byOption],
	['Python with urllib', has('python3', '--version'), python, pythonUrllib, certFile],
	['Python with requests', hasRequests, python, pythonRequests, bundle],
	['PHP with streams', hasPhp('openssl'), ['php', '-r'], phpStreams, certFile],
	['PHP with curl', hasPhp('curl'), ['php', '-r'], phpCurl, trustByIni],
	['Ruby', has('ruby', '--version'), ['ruby', '-e'], rubyHttp, certFile],
	['Java', hasJava, ['java', 'Send.java'], javaHttp, trustByKeytool],
	['Go', hasGo, ['go', 'run', 'send.go'], goHttp, certFile],
];

describe('the sandbox over TLS', () => {
	const open = useStarts();
	const at = useFolder();
	const start = (options = {}) => open({ tls: true, caFile: at('ca.pem'), ...options });
	const call = ({ caFile = '', token }: Sandbox, url: string, headers = {}, servername?: string) =>
		callRaw(url, {
			...{ ca: readFileSync(caFile), servername },
			headers: { Authorization: `Bearer ${token}`, ...headers },
		});

	for (const [name, isHere, command, code, trust] of clients) {
		const reason = isHere ? '' : ' (skipped: this machine does not have it)';
		const here = isHere ? test : test.skip;
		here(`a client in ${name} sends unchanged but for trust${reason}`, async () => {
			const sandbox = await start();
			const isFile = command.at(-1)!.includes('.');
			if (isFile) writeFileSync(at(command.at(-1)!), code);
			const body = JSON.stringify({ to: '09779123456', message: 'Hello', from: 'Shop' });
			const given = [`${sandbox.baseUrl}/rest/send`, sandbox.token, body];
			const [program = '', ...args] = [...command, ...(isFile ? [] : [code]), ...given];
			const send = async (trusted: Record<string, string>) => {
				const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...trusted };
				return (await runFile(program, args, { cwd: isFile ? at() : undefined, env })).stdout;
			};
			const said = await send(trust(sandbox.caFile!));
			expect(said).toContain('201');
			expect(said).toContain(sandbox.messages()[0]!.messageId);
			expect(await send({}).catch(() => '')).not.toContain('201');
			expect(sandbox.messages()).toHaveLength(1);
		});
	}

	test('says in links, as in its URL, that it is HTTPS', async () => {
		const sandbox = await start();
		expect(sandbox.url).toMatch(/^https:/);
		const history = `${sandbox.baseUrl}/rest/messages`;
		const { text } = await call(sandbox, history);
		expect(JSON.parse(text).links.self).toBe(`${history}/index?page=1`);
	});

	test('is reached by the name that a client has in its code, once hosts leads it here', async () => {
		const name = 'sms.example.com';
		const sandbox = await start({ allowedHosts: [name] });
		const url = `${sandbox.baseUrl}/rest/account/get-balance`;
		expect((await call(sandbox, url, { Host: name }, name)).status).toBe(201);
	});

	test('puts the authority where only its user can, and leaves nothing when it ends', async () => {
		const all = [await open({ tls: true }), await open({ tls: true })];
		const folders = all.map(({ caFile = '' }) => dirname(caFile));
		expect(new Set(folders).size).toBe(2);
		if (process.platform !== 'win32') expect(statSync(folders[0]!).mode & 0o777).toBe(0o700);
		await Promise.all(all.map((one) => one.close()));
		expect(folders.filter(existsSync)).toEqual([]);
	});

	test('leaves nothing behind when it cannot start', async () => {
		const port = Number(new URL((await start()).url).port);
		const left = () =>
			readdirSync(tmpdir()).filter((name) => name.startsWith('messaging-service-'));
		const before = left();
		await expect(open({ tls: true, port })).rejects.toThrow('EADDRINUSE');
		expect(left()).toEqual(before);
		// Nobody listens, and the data folder is free again.
		const dataFolder = at('data');
		const caFile = at('missing', 'ca.pem');
		await expect(start({ caFile, dataFolder })).rejects.toThrow('cannot be written');
		await open({ tls: true, dataFolder });
		expect(existsSync(join(dataFolder, 'ca.pem'))).toBe(true);
	});

	test('is started by --tls, and names the authority', async () => {
		const own = run('--port', '0', '--tls', '--ca-file', at('cli.pem'));
		expect(await waitForUrl(own)).toMatch(/^https:\/\/localhost/);
		expect(own.output()).toContain(
			`Authority            ${at('cli.pem')}   (clients must trust it`,
		);
	});

	test('accepts a certificate of yours', async () => {
		const { cert, key, authority } = createCertificate(['127.0.0.1']);
		writeFileSync(at('cert.pem'), cert);
		writeFileSync(at('key.pem'), key);
		const files = ['--tls-cert', at('cert.pem'), '--tls-key', at('key.pem')];
		const { url } = await waitForJson(run('--port', '0', '--json', ...files));
		expect((await callRaw(`${url}/_sandbox/livez`, { ca: authority })).status).toBe(200);
	});
});
