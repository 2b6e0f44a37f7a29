import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fields, isFields, readJson } from './reply';

/** A call of our receiver: a receipt, or a ping without one. */
export type Received = Fields;

/** Receives receipts on loopback; the first gets a 500, so that a repeat shows. */
export async function receive(port: number, received: Received[]) {
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { searchParams } = new URL(incoming.url ?? '', 'http://localhost');
			const text = Buffer.concat(chunks).toString();
			const body = readJson(text);
			const form = Object.fromEntries(new URLSearchParams(text));
			const fields = { ...Object.fromEntries(searchParams), ...(isFields(body) ? body : form) };
			const isFirst = isReceipt(fields) && !received.some(isReceipt);
			received.push(fields);
			outgoing.writeHead(isFirst ? 500 : 200).end();
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

export const isReceipt = ({ messageId }: Received): boolean => messageId !== undefined;
