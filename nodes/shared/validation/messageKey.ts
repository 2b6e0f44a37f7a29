import { toCompactNumber } from './notation';
import { digitsOf } from './recipient';

/** The same text for every notation of a phone number. Other texts are only trimmed. */
export function toNumberKey(value: unknown): string {
	const text = String(value ?? '').trim();
	const number = toCompactNumber(text);
	return /^\+?\d+$/.test(number) ? digitsOf(number) : text;
}

interface Message {
	messageId?: unknown;
	to?: unknown;
}

/**
 * The key that identifies a message, or with `more`, what happened to it. Includes the recipient, if it is known:
 * several may share one ID. Different parts never give the same key.
 */
export function toMessageKey({ messageId, to }: Message, ...more: string[]): string {
	const number = toNumberKey(to);
	return [String(messageId ?? ''), ...(number === '' ? [] : [number]), ...more]
		.map((part) => part.replace(/[%:]/g, encodeURIComponent))
		.join(':');
}

/** Whether both are one message. A recipient that one of them lacks doesn't tell them apart. */
export function isSameMessage(one: Message, other: Message): boolean {
	const keyOf = ({ messageId, to }: Message, { to: otherTo }: Message) =>
		toMessageKey({ messageId, to: toNumberKey(otherTo) && to });
	return keyOf(one, other) === keyOf(other, one);
}
