import { once } from 'node:events';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { State } from '../state';

/** So often at most, however much happens. */
const pauseMs = 250;

/** Tells a page that something has changed; it looks for itself what that is. */
export function streamChanges(state: State, context: Context): Response {
	return streamSSE(context, async (stream) => {
		const left = new AbortController();
		stream.onAbort(() => left.abort());
		while (!stream.aborted) {
			// Listens before it tells: what comes meanwhile is told next.
			const change = once(state.news, 'change', { signal: left.signal }).catch(() => undefined);
			await stream.writeSSE({ data: 'changed' });
			await stream.sleep(pauseMs);
			await change;
		}
	});
}
