import { comparableReference, plainTextOf } from '../input/comparison';
import { digitsOf } from '../input/recipient';
import type { Channel, Outgoing } from './Outgoing';

/**
 * Messages with the same reference are never in flight together, because history could not tell them apart. Empty
 * without a reference of the user.
 */
export function keyOf(message: Outgoing, { hasReference }: Channel): string {
	const { to, test = 0, clientReference } = message.request;
	if (!hasReference || !message.isUsersReference) return '';
	return `${digitsOf(to)} ${test} ${comparableReference(clientReference)}`;
}

/** The content of each message over MCP, or in bulk with Skip If Already Sent; equal ones of a run are counted. */
export function contentsOf(messages: Outgoing[], { hasReference }: Channel): Map<Outgoing, string> {
	const counts = new Map<string, number>();
	const contents = new Map<Outgoing, string>();
	for (const message of messages) {
		const { call } = message.entry;
		if (call !== undefined) contents.set(message, call);
		if (call !== undefined || hasReference || !message.isSkipping) continue;
		const { to, from, message: text } = message.request;
		const content = `${digitsOf(to)}\n${from}\n${text}`;
		const count = counts.get(content) ?? 0;
		counts.set(content, count + 1);
		contents.set(message, `${content}\n${count}`);
	}
	return contents;
}

type Content = Record<'message' | 'from', string>;

/** As it was sent: the next attempt can have another text. */
export function contentOf({ request, entry }: Outgoing): Content {
	return entry.saved.sent ?? request;
}

/** A sender ID has no line break. */
export function toContentKey(message: { from?: string; message?: string }): string {
	return `${message.from}\n${plainTextOf(message)}`;
}
