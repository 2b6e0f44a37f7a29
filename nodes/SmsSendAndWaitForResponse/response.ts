import type { IDataObject } from 'n8n-workflow';

import type { Form } from './question';

/** Of a text that a person types. */
export const longestResponse = 2000;

/** Names of the fields of the page. */
export const fieldNames = { button: 'response', text: 'text', reason: 'reason' };

/** What a person decided: `data` for the output, and the words in which the page shows it. */
export interface Response {
	data: IDataObject;
	words: string;
}

export type Problem = 'empty' | 'tooLong';

function readText(body: object, name: string): string {
	const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : '';
	if (typeof value !== 'string') return '';
	// Browsers send the two characters of a line end, and count one.
	const text = value.replace(/\r\n?/g, '\n').toWellFormed();
	return text.replace(/(?!\n|\t)\p{Cc}/gu, '').trim();
}

function readDecision(pressed: string, reason: string): IDataObject {
	if (pressed === 'approve') return { approved: true };
	// n8n hands this field to the AI model whose call was declined.
	return { approved: false, ...(reason !== '' && { chatInput: reason }) };
}

/** Reads what was posted: the value of a button that the page has, and the fields that it has beside it. */
export function readResponse(
	{ responseType, buttons, asksReason }: Form,
	body: unknown,
): Response | Problem {
	const fields = typeof body === 'object' && body !== null ? body : {};
	const pressed = readText(fields, fieldNames.button);
	const button = buttons.find(({ value }) => value === pressed);
	if (!button) return 'empty';
	if (responseType === 'choice') return { data: { choice: button.label }, words: button.label };
	if (responseType === 'freeText') return readFreeText(readText(fields, fieldNames.text));
	const reason = asksReason ? readText(fields, fieldNames.reason) : '';
	if (reason.length > longestResponse) return 'tooLong';
	return { data: readDecision(pressed, reason), words: button.label };
}

function readFreeText(text: string): Response | Problem {
	if (text === '') return 'empty';
	return text.length > longestResponse ? 'tooLong' : { data: { text }, words: text };
}
