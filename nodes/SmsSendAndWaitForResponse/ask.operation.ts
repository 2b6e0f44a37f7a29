import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { isLoopback, isPrivate } from '../shared/client/address';
import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord, OptionalFields } from '../shared/client/types';
import { isWithinStep, readRun } from '../shared/n8n/tool';
import { addHints, runAndFinish } from '../shared/n8n/items';
import { fallAsleep, requireOneItem, requireWayBack } from '../shared/n8n/waiting';
import { createTextReader } from '../shared/sending/readTexts';
import {
	allowedCountryCodes,
	allowEmptyFields,
	maxParts,
	whenOutcomeUnknown,
} from '../shared/options/limits';
import type { ValuesOf } from '../shared/options/option';
import { message, senderId, to } from '../shared/options/properties';
import { OptionReader, toCollections } from '../shared/options/reader';
import { takeDefault, type ReadField } from '../shared/options/readParameters';
import { timeout } from '../shared/options/requestOptions';
import { surface, test, unicode } from '../shared/options/sendOptions';
import { deliverOne } from '../shared/sending/deliverOne';
import { describeUnsent } from '../shared/sending/report';
import type { Draft } from '../shared/sending/draft';
import { readRecipient } from '../shared/sending/recipients';
import { InputError } from '../shared/input/InputError';
import { requireSenderId, requireText } from '../shared/input/text';
import { formProperties, readForm } from './form';
import { pageLanguage } from './page';
import { findEnd, limitWaitTime } from './limitWaitTime';
import {
	createLink,
	describeCharge,
	recallAsked,
	rememberQuestion,
	toTimedOut,
	unapproved,
	writeSms,
} from './question';

/** In the order in which people need them. */
export const options = {
	limitWaitTime,
	pageLanguage,
	maxParts,
	allowEmptyFields,
	allowedCountryCodes,
	whenOutcomeUnknown,
	test,
	unicode,
	timeout,
	surface,
};

type Values = ValuesOf<typeof options>;

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
			'The SMS ends with a link to a page of your n8n instance, so phones must be able to reach it. Anyone with the link can respond. All responses leave by the same output. Add an If node to tell an approval from the rest. For several items, put this node into a sub-workflow (<a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/sms-send-and-wait-for-response.md#ask-several-people" target="_blank">how</a>).',
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

interface Given {
	to: unknown;
	readField: ReadField;
	values: Values;
	client: MessagingServiceClient;
	fields: OptionalFields;
}

/** Validates everything in a question except its link. @throws InputError */
function readQuestion(context: IExecuteFunctions, item: number, given: Given) {
	const { to, readField, values, client } = given;
	const number = readRecipient(to, values);
	const message = requireText(readField('message', item), 'message').trim();
	const senderId = takeDefault(context, 'from', client.defaults);
	const form = readForm(readField, item, { texts: values.pageLanguage, message });
	return { ...form, to: number, from: requireSenderId(senderId ?? readField('from', item)) };
}

/** Sends one question ("Send request"); the execution then waits for a button or the time limit. */
async function ask(context: IExecuteFunctions, item: number, given: Given): Promise<IDataObject> {
	const { client, values } = given;
	const { limitWaitTime: limit, maxParts: most, surface, unicode: isUnicode } = values;
	const end = findEnd(limit, context.getTimezone(), Date.now());
	const question =
		recallAsked(context) ?? rememberQuestion(context, readQuestion(context, item, given));
	const { to, from } = question;
	const link = createLink(context, question.proof);
	const sms = writeSms(question.message, link, isUnicode, most);
	// Identifies the message in retries, where the link differs. Calls of a tool differ in their run.
	const message = `${question.message}\n${readRun(context)}`;
	const linkHint = checkLink(context, link, client.baseUrl);
	const request = { message, from, ...given.fields };
	const draft: Draft = { request, surface, charge: sms.charge };
	const record = await deliverOne(
		context,
		client,
		{ to, draft: { value: draft }, values },
		{ message: sms.text },
	);
	requireOwnLink(record, link);
	addHints(context, describeCharge(sms, link), linkHint);
	client.pool.stopIfCancelled();
	// The send may have taken minutes.
	const until = 'afterMs' in limit ? Date.now() + limit.afterMs : end;
	// Also in the node's memory, where the page finds them.
	Object.assign(question, {
		messageId: record.messageId,
		waitedUntil: new Date(until).toISOString(),
	});
	const timedOut = toTimedOut(question);
	await fallAsleep(context, timedOut, until);
	return timedOut;
}

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createTextReader(this);
	const reader = OptionReader.of(this, options, readField);
	return await runAndFinish(this, {
		outcomeOf: () => describeUnsent(this, false),
		// An earlier approval in the input must not look like one of this question.
		describeFailed: () => unapproved,
		work: async (item, report) => {
			requireOneItem(this);
			requireWayBack(this);
			if (isWithinStep(this)) {
				throw new InputError(
					'operation',
					'This tool cannot wait for a response here',
					'Use an AI Agent of version 3 or later. An MCP Server Trigger cannot wait for a person.',
				);
			}
			const to: unknown = readField('to', item);
			report.isFor(to);
			const [values, fields] = [reader.read(item), reader.readRequest(item)];
			const { timeout: ms } = values;
			const client = await MessagingServiceClient.open(this, { parallelRequests: 1, timeout: ms });
			report.add(await ask(this, item, { to, readField, values, fields, client }));
		},
	});
}
