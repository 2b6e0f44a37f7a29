import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isLoopback, isPrivate } from '../shared/client/address';
import type { MessageRecord } from '../shared/client/types';
import { isWithinStep, readRun } from '../shared/n8n/tool';
import { addHints } from '../shared/n8n/items';
import { fallAsleep, openWait, requireWayBack } from '../shared/n8n/waiting';
import { ofMessages, timeout } from '../shared/options/limits';
import { message, senderId, to } from '../shared/options/properties';
import { toCollections } from '../shared/options/reader';
import { surface, test, unicode } from '../shared/options/sendOptions';
import { readRecipient, readSenderId } from '../shared/sending/draft';
import { type Opened, sendAndWait, sendOne } from '../shared/sending/sendOne';
import { InputError } from '../shared/input/InputError';
import { requireText } from '../shared/input/text';
import { formProperties, readForm } from './form';
import { pageLanguage } from './page';
import { findEnd, limitWaitTime } from './limitWaitTime';
import { createLink, describeCharge, toTimedOut, unapproved, writeSms } from './question';
import type { Question } from './question';

export const options = {
	limitWaitTime,
	pageLanguage,
	...ofMessages,
	test,
	unicode,
	timeout,
	surface,
};

export const properties: INodeProperties[] = [
	{
		// By this parameter, n8n 2 checks the signature of the link: without it, only the token of the execution opens the
		// page, which must not be in an SMS. With options, it would also offer the node as a review of an agent's tools.
		displayName: 'Operation',
		name: 'operation',
		type: 'hidden',
		default: 'sendAndWait',
	},
	{
		displayName:
			'The SMS ends with a link to a page of your n8n instance, so phones must be able to reach it. Anyone with the link can respond. All responses leave by the same output. Add an If node to separate approvals from other responses. For several items, put this node into a sub-workflow (<a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/sms-send-and-wait-for-response.md#ask-several-people" target="_blank">how</a>).',
		name: 'howItWaits',
		type: 'notice',
		default: '',
	},
	to,
	{
		...message,
		placeholder: 'e.g. Refund 45,000 MMK to order 1234?',
		hint: 'The link counts, too. A short question costs about 2 parts, or 4 in Burmese.',
	},
	senderId,
	...formProperties,
	...toCollections(options),
];

/** In the retry of a failed execution, the SMS may have been sent before, with a link that no longer works. */
function requireOwnLink({ message: text }: MessageRecord, link: string): void {
	if (typeof text !== 'string' || !text.includes('signature=') || text.includes(link)) return;
	throw new InputError(
		'message',
		'The question was sent before this retry, and its link no longer works',
		'Start the workflow again to ask again.',
		{ outcome: '' },
	);
}

/** A service on the same network, such as the sandbox, can have a phone there. @throws InputError */
function checkLink(context: IExecuteFunctions, link: string, baseUrl: string): string {
	if (!isLoopback(link)) return '';
	const error = new InputError(
		'message',
		`No phone can open the link in the SMS: it begins with ${new URL(link).origin}`,
		'Start n8n with N8N_WEBHOOK_URL (in older n8n: WEBHOOK_URL) set to its public URL.',
	);
	if (context.getMode() !== 'manual' && !isPrivate(baseUrl)) throw error;
	return `${error.message}. ${error.hint}`;
}

type Own = Opened<typeof options>;

/** n8n 1 in a sub-workflow, and agents up to version 2. @throws InputError */
function requireWait(context: IExecuteFunctions): void {
	requireWayBack(context);
	if (!isWithinStep(context)) return;
	throw new InputError(
		'operation',
		'This tool cannot wait for a response here',
		'Use an AI Agent of version 3 or later. An MCP Server Trigger cannot wait for a person.',
	);
}

/** Validates everything in a question except its link. @throws InputError */
function readQuestion(opened: Own): Question {
	const { to, readField, values } = opened;
	const number = readRecipient(to, values);
	const message = requireText(readField('message', 0), 'message').trim();
	const form = readForm(readField, { language: values.pageLanguage, message });
	return { ...form, to: number, from: readSenderId(opened, 0) };
}

/** Sends one question ("Send request"); the execution then waits for a button or the time limit. */
async function ask(opened: Own): Promise<IDataObject> {
	const { client, context, options: reader, values } = opened;
	requireWait(context);
	const { limitWaitTime: limit, maxParts: most, surface, unicode: isUnicode } = values;
	const end = findEnd(limit, context.getTimezone(), Date.now());
	const question = openWait(context, () => readQuestion(opened));
	const { to, from } = question;
	const link = createLink(context, question.proof);
	const sms = writeSms(question.message, link, isUnicode, most);
	// Identifies the message in retries, where the link differs. Calls of a tool differ in their run.
	const message = `${question.message}\n${readRun(context)}`;
	const linkHint = checkLink(context, link, client.baseUrl);
	const request = { message, from, ...reader.readRequest(0) };
	const draft = { request, surface, charge: sms.charge };
	const record = await sendOne(opened, to, () => draft, { message: sms.text });
	requireOwnLink(record, link);
	addHints(context, describeCharge(sms.charge, link), linkHint);
	client.pool.stopIfCancelled();
	// The send may have taken minutes.
	const until = 'afterMs' in limit ? Date.now() + limit.afterMs : end;
	question.messageId = record.messageId;
	return await fallAsleep(context, question, toTimedOut(question, until), until);
}

export async function execute(this: IExecuteFunctions) {
	return await sendAndWait(this, options, ask, unapproved);
}
