import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { httpClient } from '../../scripts/http';
import { projectFolder } from '../../scripts/n8n/paths';
import { formatTable } from './table';

/** What a loaded sandbox did. */
export interface SandboxLoad {
	sends: number;
	/** Sends whose response was 201. */
	accepted: number;
	seconds: number;
	/** Of the response to a send, in milliseconds. */
	medianMs: number;
	slowestMs: number;
	receipts: number;
	/** Maximum time from when a receipt was due to the receiver's response, in milliseconds. */
	slowestReceiptMs: number;
	messagesKept: number;
	/** Largest resident memory, in MB. */
	memoryMb: number;
	/** Seconds of the processor for 2,000 sends and their receipts, which a busy machine changes little. */
	load: number;
}

const perSecond = 2_000;
const key = { apiKey: 'load-key', apiSecret: 'load-secret' };
const mostUnderWay = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** Sends that many messages at 2,000 a second, and takes their receipts. */
export async function loadSandbox(sends: number): Promise<SandboxLoad> {
	const receiver = await startReceiver();
	const sandbox = await startProgram(...['--receipt-url', receiver.url, '--balance', '1000000000']);
	try {
		const control = httpClient.create({ baseURL: `${sandbox.pageUrl}/api` });
		const watch = await watchProcess(sandbox.readUsage);
		const { accepted, seconds, times } = await sendAll(sandbox.baseUrl, sends);
		await untilAll(() => receiver.count(), 2 * accepted);
		const { processorSeconds, memoryMb } = await watch.end();
		const { data: queue } = await control.get<{ maxLateMs: number }>('/receipts/queue');
		const { data: kept } = await control.get<unknown[]>('/messages');
		return {
			...{ sends, accepted, seconds, memoryMb, load: (processorSeconds * perSecond) / sends },
			medianMs: times[times.length >> 1],
			slowestMs: times[times.length - 1],
			receipts: await receiver.count(),
			slowestReceiptMs: queue.maxLateMs,
			messagesKept: kept.length,
		};
	} finally {
		await sandbox.stop();
		await receiver.stop();
	}
}

/** A receiver of receipts in a thread of its own, so that it does not hold up the sends. */
const receiverCode = `
	const { createServer } = require('node:http');
	const { parentPort } = require('node:worker_threads');
	let count = 0;
	const server = createServer((incoming, outgoing) => {
		count += 1;
		incoming.resume();
		outgoing.end();
	});
	server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }));
	parentPort.on('message', () => parentPort.postMessage({ count }));
`;

async function startReceiver() {
	const worker = new Worker(receiverCode, { eval: true });
	const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
	return {
		url: `http://127.0.0.1:${port}/`,
		count: async () => {
			worker.postMessage('count');
			const [{ count }] = (await once(worker, 'message')) as [{ count: number }];
			return count;
		},
		stop: () => worker.terminate(),
	};
}

/** Preloaded into the sandbox. */
const usageCode = `process.on('message', () => {
	const { user, system } = process.cpuUsage();
	const memoryMb = process.memoryUsage.rss() / 2 ** 20;
	process.send({ memoryMb, processorSeconds: (user + system) / 1e6 });
});`;

/** The built program, as people run it. */
async function startProgram(...args: string[]) {
	const file = join(projectFolder, 'sandbox', 'dist', 'sandbox.js');
	await promisify(execFile)(process.execPath, [
		join(projectFolder, 'sandbox', 'build.mjs'),
		'--program',
	]);
	const keys = ['--api-key', key.apiKey, '--api-secret', key.apiSecret];
	const usage = `data:text/javascript,${encodeURIComponent(usageCode)}`;
	const program = spawn(
		process.execPath,
		['--import', usage, file, '--port', '0', ...keys, ...args],
		{ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
	);
	const ended = once(program, 'close');
	let text = '';
	for await (const chunk of program.stdout!) {
		text += String(chunk);
		const [, url] = /Base URL +(\S+)\/api\s/.exec(text) ?? [];
		if (!url) continue;
		return {
			baseUrl: `${url}/api`,
			pageUrl: `${url}/_sandbox`,
			readUsage: async (): Promise<Usage> => {
				program.send('usage');
				const [read] = (await once(program, 'message')) as [Usage];
				return read;
			},
			stop: async () => {
				program.kill();
				await ended;
			},
		};
	}
	throw new Error(`The sandbox did not start: ${text}`);
}

/** As many as are due by the clock, so that a slow moment is caught up with. */
async function sendAll(baseUrl: string, sends: number) {
	const start = performance.now();
	const times: number[] = [];
	let accepted = 0;
	const under = new Set<Promise<void>>();
	for (let sent = 0; sent < sends; ) {
		// A sender that was itself held up does not heap its debt on the sandbox.
		const room = sent + mostUnderWay - under.size;
		const due = Math.min(sends, room, Math.ceil(((performance.now() - start) / 1000) * perSecond));
		for (; sent < due; sent += 1) {
			const sending = sendOne(baseUrl, sent).then(({ status, ms }) => {
				under.delete(sending);
				times.push(ms);
				accepted += Number(status === 201);
			});
			under.add(sending);
		}
		await sleep(2);
	}
	await Promise.all(under);
	const seconds = (performance.now() - start) / 1000;
	return { accepted, seconds, times: times.sort((a, b) => a - b) };
}

function sendOne(baseUrl: string, index: number): Promise<{ status?: number; ms: number }> {
	const start = performance.now();
	const body = JSON.stringify({
		to: `0977${String(1_000_000 + (index % 9_000_000))}`,
		message: `Message number ${index} of a long day`,
		from: 'Shop',
		clientReference: `load-${index}`,
	});
	const token = Buffer.from(`${key.apiKey}:${key.apiSecret}`).toString('base64');
	const headers = {
		Authorization: `Bearer ${token}`,
		'Content-Type': 'application/json',
		'Content-Length': Buffer.byteLength(body),
	};
	return new Promise((resolve) => {
		request(`${baseUrl}/rest/send`, { method: 'POST', headers, agent }, (answer) => {
			answer.resume().once('end', () => {
				resolve({ status: answer.statusCode, ms: performance.now() - start });
			});
		})
			.once('error', () => resolve({ ms: performance.now() - start }))
			.end(body);
	});
}

interface Usage {
	memoryMb: number;
	processorSeconds: number;
}

/** Looks every two seconds. */
async function watchProcess(read: () => Promise<Usage>) {
	const before = (await read()).processorSeconds;
	let memoryMb = 0;
	const look = async () => {
		const usage = await read();
		memoryMb = Math.max(memoryMb, usage.memoryMb);
		return usage;
	};
	const timer = setInterval(() => void look(), 2_000);
	return {
		end: async () => {
			clearInterval(timer);
			const { processorSeconds } = await look();
			return { memoryMb, processorSeconds: processorSeconds - before };
		},
	};
}

/** Gives up when ten seconds bring nothing more. */
async function untilAll(count: () => Promise<number>, all: number): Promise<void> {
	let last = -1;
	for (let now = await count(); now < all && now > last; now = await count()) {
		last = now;
		for (let waited = 0; waited < 100 && (await count()) < all; waited += 1) await sleep(100);
	}
}

export function formatLoad(load: SandboxLoad): string {
	const { sends, accepted, seconds, receipts, messagesKept, memoryMb } = load;
	const head = ['Sandbox under load', 'Measured', 'Goal'];
	return formatTable(head, [
		[
			'Sends a second, with receipts',
			(accepted / seconds).toFixed(0),
			`≥ ${perSecond}, all of ${sends}`,
		],
		[
			`Processor time for ${perSecond} sends and their receipts`,
			`${load.load.toFixed(2)} s`,
			'≤ 1 s: one core',
		],
		[
			'Response to a send, median and slowest',
			`${load.medianMs.toFixed(1)} and ${load.slowestMs.toFixed(0)} ms`,
			'slowest ≤ 150 ms',
		],
		['Receipts delivered', String(receipts), String(2 * sends)],
		['Latest receipt, from its due time', `${load.slowestReceiptMs.toFixed(0)} ms`, '≤ 1,000 ms'],
		[
			'Memory, with so many messages kept',
			`${memoryMb.toFixed(0)} MB, ${messagesKept}`,
			'≤ 400 MB',
		],
	]);
}
