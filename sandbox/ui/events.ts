import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { State } from '../state';

/** So often at most, however much happens. */
const pauseMs = 250;

/** Tells a page that something has changed; it looks for itself what that is. */
export function streamChanges(state: State, context: Context): Response {
	return streamSSE(context, async (stream) => {
		let wake = (): void => undefined;
		let hasChanged = true;
		const note = (): void => {
			hasChanged = true;
			wake();
		};
		state.listeners.add(note);
		stream.onAbort(() => {
			state.listeners.delete(note);
			wake();
		});
		while (!stream.aborted) {
			if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve));
			hasChanged = false;
			await stream.writeSSE({ data: 'changed' });
			await stream.sleep(pauseMs);
		}
		state.listeners.delete(note);
	});
}
