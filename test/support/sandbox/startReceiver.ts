import { createServer } from 'node:http';
import { listen } from '../listen';

export interface ReceivedCall {
	method: string;
	url: string;
	query: Record<string, string>;
	contentType: string;
	body: string;
}

export interface Receiver {
	url: string;
	calls: ReceivedCall[];
	/** Statuses to answer next, with a Location; 200 when there are none left. */
	statuses: number[];
	/** Whether it never answers what comes from now on. */
	isSilent: boolean;
	close(): Promise<void>;
}

/** A receiver of delivery receipts on loopback. */
export async function startReceiver({ isSilent = false } = {}): Promise<Receiver> {
	const calls: ReceivedCall[] = [];
	const statuses: number[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '' } = request;
			const query = Object.fromEntries(new URL(url, 'http://receiver').searchParams);
			const contentType = request.headers['content-type'] ?? '';
			calls.push({ method, url, query, contentType, body: Buffer.concat(chunks).toString() });
			if (receiver.isSilent) return;
			response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end('OK');
		});
	});
	const { url, close } = await listen(server);
	const receiver: Receiver = { url, calls, statuses, isSilent, close };
	return receiver;
}
