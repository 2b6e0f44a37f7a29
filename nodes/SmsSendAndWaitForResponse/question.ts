import { randomBytes } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/execution/agentTool';
import { recallMemory } from '../shared/execution/waiting';
import { isSecretRight } from '../shared/receipt/receipt';
import type { PageTexts } from './pageTexts';

export type ResponseType = 'approval' | 'freeText' | 'choice';

/** What the page asks. Stored, because the wait replaces the item that the node's fields may refer to. */
export interface Form {
	responseType: ResponseType;
	message: string;
	buttons: Array<{ value: string; label: string }>;
	/** Whether the page asks for a reason for declining, which an AI model reads. */
	asksReason: boolean;
	texts: PageTexts;
}

export interface Question extends Form {
	run: string;
	/** Random, in the link: a node can ask several questions per execution, and n8n 1 may not check its signature. */
	proof: string;
	to: string;
	messageId?: string;
	/** End of the wait, in ISO 8601 and UTC: n8n ends the wait later, or earlier. */
	waitedUntil: string;
}

/** Query field of the link that holds the proof. */
const proofField = 'q';

/** All attempts of a run share the proof that was sent. */
export function openProof(context: IExecuteFunctions): string {
	const memory = context.getContext('node');
	const run = readRun(context);
	const known = memory.question as Question | undefined;
	const proof = known?.run === run ? known.proof : randomBytes(12).toString('base64url');
	memory.question = { run, proof };
	return proof;
}

/** Stores the question until the response, across restarts of n8n. */
export function rememberQuestion(
	context: IExecuteFunctions,
	question: Omit<Question, 'run'>,
): Question {
	const asked = { ...question, run: readRun(context) };
	context.getContext('node').question = asked;
	return asked;
}

/** The question that the execution waits for, and whether the link belongs to it and its wait has not ended. */
export function recallQuestion(context: IWebhookFunctions): {
	question?: Question;
	isOpen: boolean;
} {
	const question = recallMemory(context, 'question') as Question | undefined;
	// Before the send, only the proof is stored.
	if (!question?.texts) return { isOpen: false };
	const { [proofField]: given } = context.getQueryData() as IDataObject;
	const isWaiting = Date.now() < Date.parse(question.waitedUntil);
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

function toOutput({ messageId, to }: Question, data: IDataObject, timedOut: boolean): IDataObject {
	return { data, timedOut, messageId, to };
}

export function toResponded(question: Question, data: IDataObject, at: Date): IDataObject {
	return toOutput(question, { ...data, respondedAt: at.toISOString() }, false);
}

/** A timeout is never an approval, whatever the response type. */
export function toTimedOut(question: Question): IDataObject {
	const { waitedUntil } = question;
	return { ...toOutput(question, { approved: false }, true), waitedUntil };
}
