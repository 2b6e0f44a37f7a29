import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen } from '../listen';
import type { Server } from './services';

/** What stands in front of several webhook processors: hands each call to the next of these ports. */
export async function startBalancer(ports: number[]): Promise<Server> {
	let calls = 0;
	const hand = (incoming: IncomingMessage, outgoing: ServerResponse) => {
		const port = ports[calls++ % ports.length];
		const { method, url: path, headers } = incoming;
		const handed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		handed.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(handed);
	};
	return await listen(createServer(hand));
}
