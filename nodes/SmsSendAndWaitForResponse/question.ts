import { randomBytes } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/n8n/tool';
import { memoryOf, recallMemory } from '../shared/n8n/memory';
import { isSecretRight } from '../shared/receipt/receipt';
import { InputError } from '../shared/input/InputError';
import { countParts, type PartCount, withoutZeroWidthSpaces } from '../shared/input/parts';
import { english, type Form } from './page';

export interface Question extends Form {
	run: string;
	execution: string;
	/** Random, in the link: a node can ask several questions per execution, and n8n 1 may not check its signature. */
	proof: string;
	to: string;
	from: string;
	messageId?: string;
	/** End of the wait, in ISO 8601 and UTC: n8n ends the wait later, or earlier. Absent before the wait. */
	waitedUntil?: string;
}

/** Query field of the link that holds the proof. */
const proofField = 'q';

/**
 * The question that an earlier attempt of this run may have sent, since expressions such as `$now` return a different
 * text in every attempt. The retry of a failed execution has a link of its own, so it asks its own question.
 */
export function recallAsked(context: IExecuteFunctions): Question | undefined {
	const { question: asked } = memoryOf<{ question?: Question }>(context);
	const isOurs = asked?.run === readRun(context) && asked.execution === context.getExecutionId();
	return isOurs ? asked : undefined;
}

/** Stores the question from before the send until the response, across restarts of n8n. */
export function rememberQuestion(
	context: IExecuteFunctions,
	question: Form & Pick<Question, 'to' | 'from'>,
): Question {
	const proof = randomBytes(12).toString('base64url');
	const asked = { ...question, proof, run: readRun(context), execution: context.getExecutionId() };
	memoryOf<{ question?: Question }>(context).question = asked;
	return asked;
}

/** The question that the execution waits for, and whether the link belongs to it and its wait has not ended. */
export function recallQuestion(context: IWebhookFunctions): {
	question?: Question;
	isOpen: boolean;
} {
	const asked = recallMemory(context, 'question') as Question | undefined;
	if (!asked) return { isOpen: false };
	// A version of this package that had fewer texts may have asked it, before an update.
	const question = { ...asked, texts: { ...english, ...asked.texts } };
	const { [proofField]: given } = context.getQueryData() as IDataObject;
	const isWaiting = Date.now() < Date.parse(question.waitedUntil ?? '');
	return { question, isOpen: isWaiting && isSecretRight(question.proof, given) };
}

/** n8n 2 always checks the signature in the link; n8n 1 only if the node requires it. */
export function createLink(context: IExecuteFunctions, proof: string): string {
	const { setSignatureValidationRequired: requireSignature } = context as {
		setSignatureValidationRequired?: () => void;
	};
	requireSignature?.call(context);
	return context.getSignedResumeUrl({ [proofField]: proof });
}

export interface SmsText {
	text: string;
	charge: PartCount;
}

/** The text of the SMS: message and link. @throws InputError if it has more parts than Max Parts allows */
export function writeSms(
	message: string,
	link: string,
	isUnicode: boolean,
	limit: number,
): SmsText {
	const text = withoutZeroWidthSpaces(`${message}\n${link}`, isUnicode);
	const charge = countParts(text, isUnicode);
	if (charge.parts <= limit) return { text, charge };
	throw new InputError(
		'message',
		`Message and link have ${charge.parts} parts, but Max Parts is ${limit}`,
		`Shorten Message, or raise Max Parts: the link alone has ${link.length} characters.`,
	);
}

/** A hint below the output: what one question costs. */
export function describeCharge({ charge }: SmsText, link: string): string {
	const { parts, encoding, units, unitsPerPart } = charge;
	const count = parts === 1 ? '1 part' : `${parts} parts`;
	const why = ' Letters such as Burmese ones, or the option Unicode, make it Unicode.';
	return `Each question is charged as ${count}: ${units} of ${parts * unitsPerPart} characters, ${link.length} of them for the link.${encoding === 'UCS-2' ? why : ''}`;
}

/** `approved` is at the top, too, where people and AI models look first. Only the button that approves makes it true. */
function toOutput({ messageId, to }: Question, response: IDataObject, timedOut: boolean) {
	const data: IDataObject = { approved: false, ...response };
	return { approved: data.approved, data, timedOut, messageId, to };
}

export function toResponded(question: Question, data: IDataObject, at: Date): IDataObject {
	return toOutput(question, { ...data, respondedAt: at.toISOString() }, false);
}

/** Over what the input says: n8n merges it into error items. */
export const unapproved = { approved: false, data: { approved: false } };

export function toTimedOut(question: Question): IDataObject {
	return { ...toOutput(question, {}, true), waitedUntil: question.waitedUntil };
}
