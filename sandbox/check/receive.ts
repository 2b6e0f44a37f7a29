import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from './Account';

export type Keep = Account['keepReceipt'];

/** Receives receipts on loopback; the first gets a 500, so that a repeat shows. */
export async function receive(port: number, keep: Keep) {
	let status = 500;
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', url = '', headers } = incoming;
			const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
			const body = readBody(Buffer.concat(chunks).toString());
			const names = Object.keys({ ...headers, ...query, ...body });
			const signed = names.some((name) => /sign|hmac/i.test(name));
			keep(method, query, body, signed);
			outgoing.writeHead(status).end();
			status = 200;
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

function readBody(body: string): object {
	try {
		return JSON.parse(body) as object;
	} catch {
		return Object.fromEntries(new URLSearchParams(body));
	}
}
