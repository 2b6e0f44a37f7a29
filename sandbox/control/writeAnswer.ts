import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ServiceAnswer } from '../entities';
import { doInTurns, Turn, type Work } from '../turns';

/** Writes piece by piece, no faster than the client reads. */
export async function writeAnswer(
	outgoing: ServerResponse,
	{ status, headers, body }: ServiceAnswer,
): Promise<void> {
	const bytes = await doInTurns(countBytes(body));
	outgoing.writeHead(status, { ...headers, ...(bytes > 0 && { 'Content-Length': bytes }) });
	const turn = new Turn();
	for (const piece of body.slice(0, -1)) {
		const hasRoom = outgoing.write(piece);
		if (!hasRoom) await waitForRoom(outgoing);
		if (outgoing.destroyed) return;
		if (turn.isOver()) await turn.next();
	}
	outgoing.end(body.at(-1));
}

function* countBytes(pieces: string[]): Work<number> {
	let bytes = 0;
	for (const piece of pieces) {
		bytes += Buffer.byteLength(piece);
		yield;
	}
	return bytes;
}

/** Until it may be written on, or nobody reads any more. */
async function waitForRoom(outgoing: ServerResponse): Promise<void> {
	const end = new AbortController();
	const { signal } = end;
	const moments = ['drain', 'close'].map((name) => once(outgoing, name, { signal }));
	await Promise.race(moments).catch(() => undefined);
	end.abort();
	await Promise.allSettled(moments);
}
