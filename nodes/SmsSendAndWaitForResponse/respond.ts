import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { Expiring } from '../shared/n8n/Expiring';
import { isOver, isProven, recallWait, type Waiting } from '../shared/n8n/waiting';
import { readResponse } from './form';
import { type Language, pageHeaders, pageTexts, renderNotice, renderQuestion } from './page';
import { type Question, toResponded } from './question';

interface Decision {
	/** As the page shows it. */
	words: string;
	/** Whether n8n resumed the execution with it. */
	isCounted: Promise<boolean>;
}

/**
 * Latest decisions of this process, by question: they cover presses in the milliseconds in which n8n still treats the
 * execution as waiting. Between processes, n8n's own claim on the execution decides.
 */
const decisions = new Expiring<Decision>(Infinity, 500);

/**
 * n8n responds with raw JSON to presses that come once it has resumed the execution, such as the second of a double
 * click. So the one that counts waits for them, in milliseconds: they get the page.
 */
export const pressTiming = { gatherMs: 250 };

function setHeaders(context: IWebhookFunctions): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
}

/** Responds without resuming the execution. */
function show(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	setHeaders(context);
	context.getResponseObject().status(status).send(html);
	return { noWebhookResponse: true };
}

/**
 * n8n responds once it has resumed the execution, or with an error if another press was first. `prefinish` fires even if
 * the browser has hung up, as it does before it sends the second of a double click.
 */
async function hasCounted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	return await new Promise((resolve) =>
		response.once('prefinish', () => resolve(response.statusCode < 400)),
	);
}

/** Opening the link decides nothing, since previews, scanners and prefetchers open links. Only a button posts. */
async function respond(
	context: IWebhookFunctions,
	question: Waiting<Question>,
): Promise<IWebhookResponseData> {
	const { language } = question;
	const key = `${context.getExecutionId()} ${question.proof}`;
	const earlier = decisions.get(key);
	if (earlier && (await earlier.isCounted))
		return show(context, 200, renderNotice(language, 'answered', earlier.words));
	if (context.getRequestObject().method !== 'POST')
		return show(context, 200, renderQuestion(question));
	const response = readResponse(question, context.getBodyData());
	if (typeof response === 'string')
		return show(context, 400, renderQuestion(question, pageTexts[language][response]));
	const { words, data } = response;
	decisions.set(key, { words, isCounted: hasCounted(context) });
	await sleep(pressTiming.gatherMs);
	setHeaders(context);
	// n8n sends this page after it has claimed the execution, so only the press that counts gets "recorded".
	const webhookResponse = renderNotice(language, 'recorded', words);
	return { webhookResponse, workflowData: [[{ json: toResponded(question, data, new Date()) }]] };
}

/** Logs where it failed, but no message: that could quote the link, the number or the response. */
function showFailure(
	context: IWebhookFunctions,
	language: Language,
	error: unknown,
): IWebhookResponseData {
	const { name, stack = '' } = error instanceof Error ? error : new Error();
	const [place = ''] = /^\s+at .+$/m.exec(stack) ?? [];
	context.logger.error(
		`${context.getNode().name} (execution ${context.getExecutionId()}): the page of the question failed, and nothing was decided: ${name} ${place.trim()}`,
	);
	return show(context, 500, renderNotice(language, 'failed'));
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = recallWait<Question>(context);
	const { language } = question ?? { language: 'en' };
	const isOpen =
		question && !isOver(question) && isProven(question, context.getQueryData() as object);
	if (!isOpen) return show(context, 410, renderNotice(language, 'closed'));
	return await respond(context, question).catch((error) => showFailure(context, language, error));
}

/** An error thrown here would resume the execution without a decision. */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(this).catch((error) => showFailure(this, 'en', error));
}
