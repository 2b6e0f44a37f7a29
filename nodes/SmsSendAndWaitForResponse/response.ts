import type { IDataObject } from 'n8n-workflow';

import type { Form } from './question';

/** For typed text, in UTF-16 units. */
export const longestResponse = 2000;

export const fieldNames = { button: 'response', text: 'text', reason: 'reason' };

/** A response: `data` for the output, `words` for the page. */
export interface Response {
	data: IDataObject;
	words: string;
}

export type Problem = 'empty' | 'tooLong';

function readText(body: object, name: string): string {
	const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : '';
	if (typeof value !== 'string') return '';
	// Browsers post line ends as two characters, but count one.
	const text = value.replace(/\r\n?/g, '\n').toWellFormed();
	return text.replace(/(?!\n|\t)\p{Cc}/gu, '').trim();
}

function readDecision(pressed: string, reason: string): IDataObject {
	if (pressed === 'approve') return { approved: true };
	// n8n hands this field to the AI model whose call was declined.
	return { approved: false, ...(reason !== '' && { chatInput: reason }) };
}

/** Accepts only the buttons and text fields that the page has. */
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
