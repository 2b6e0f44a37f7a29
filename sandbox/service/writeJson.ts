import type { Work } from '../turns';

const maxPieceLength = 64_000;

/**
 * JSON in pieces. A list of messages is written one after the other: fifty thousand records at once would
 * hold up every other answer.
 */
export function* writeJson(body: object): Work<string[]> {
	if (!('messages' in body) || !Array.isArray(body.messages)) return [writeShort(body)];
	const { messages, ...others } = body;
	const pieces: string[] = [];
	let piece = '{"messages":[';
	for (const [index, record] of messages.entries()) {
		piece += `${index === 0 ? '' : ','}${JSON.stringify(record)}`;
		yield;
		if (piece.length < maxPieceLength) continue;
		pieces.push(piece);
		piece = '';
	}
	const rest = JSON.stringify(others).slice(1);
	pieces.push(`${piece}]${rest === '}' ? '' : ','}${rest}`);
	return pieces;
}

/** A request ID that no number can hold is digits in JSON all the same. */
function writeShort(body: object): string {
	const text = JSON.stringify(body);
	const hasRequestId = 'requestId' in body || 'request_id' in body;
	return hasRequestId ? text.replace(/"(requestId|request_id)":"(\d+)"/, '"$1":$2') : text;
}
