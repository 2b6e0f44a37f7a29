import { once } from 'node:events';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { State } from '../state';

/** Shortest time between two events. */
const pauseMs = 250;

/** Tells a page that something has changed; the page then reloads its content. */
export function streamChanges(state: State, context: Context): Response {
	return streamSSE(context, async (stream) => {
		const left = new AbortController();
		stream.onAbort(() => left.abort());
		while (!stream.aborted) {
			// Listen before writing, so that no change in between is lost.
			const change = once(state.news, 'change', { signal: left.signal }).catch(() => undefined);
			await stream.writeSSE({ data: 'changed' });
			await stream.sleep(pauseMs);
			await change;
		}
	});
}
