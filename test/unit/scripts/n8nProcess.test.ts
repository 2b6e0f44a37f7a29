import { httpClient } from '../../../scripts/http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findFreePort } from '../../../scripts/n8n/freePort';
import type * as N8nProcess from '../../../scripts/n8n/n8nProcess';
import { projectFolder, stateFolder } from '../../../scripts/n8n/paths';

/** Answers as n8n does: without its database first, then while it loads its routes, then as it goes on. */
const slowN8n = `
	const ages = [
		{ untilMs: 700, status: 503, type: 'application/json', body: '{"message":"Database is not ready!"}' },
		{ untilMs: 1400, status: 200, type: 'text/html', body: 'n8n is starting up. Please wait' },
		{ untilMs: Infinity, status: 200, type: 'application/json', body: '{"status":"ok"}' },
	];
	let begun;
	require('node:http').createServer((request, response) => {
		begun ??= Date.now();
		const { status, type, body } = ages.find(({ untilMs }) => Date.now() - begun < untilMs);
		response.writeHead(status, { 'content-type': type }).end(body);
	}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
`;

describe('a process of n8n', () => {
	let folder: string;
	let startN8nProcess: typeof N8nProcess.startN8nProcess;

	beforeAll(() => {
		mkdirSync(stateFolder, { recursive: true });
		folder = mkdtempSync(join(stateFolder, 'slow-n8n-'));
		const program = join(folder, 'node_modules/n8n/bin/n8n');
		mkdirSync(dirname(program), { recursive: true });
		writeFileSync(program, slowN8n);
		process.env.E2E_N8N_HOST_FOLDER = relative(projectFolder, folder);
		jest.resetModules();
		const path = '../../../scripts/n8n/n8nProcess';
		({ startN8nProcess } = jest.requireActual<typeof N8nProcess>(path));
	});
	afterAll(() => {
		delete process.env.E2E_N8N_HOST_FOLDER;
		rmSync(folder, { recursive: true, force: true });
	});

	test('has started when it responds 200, not with its page for those who wait', async () => {
		const port = await findFreePort();
		const logFile = join(folder, 'log');
		const n8n = await startN8nProcess({ userFolder: folder, port, logFile });
		try {
			const { data } = await httpClient.get<unknown>(`${n8n.url}/rest/settings`);
			expect(data).toEqual({ status: 'ok' });
		} finally {
			await n8n.stop();
		}
	}, 30_000);
});
