import { randomBytes } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/execution/agentTool';
import { recallMemory } from '../shared/execution/waiting';
import { isSecretRight } from '../shared/receipt/receipt';
import type { PageTexts } from './pageTexts';

export type ResponseType = 'approval' | 'freeText' | 'choice';

/** What the person is asked. The fields it comes from are gone when the person responds: the wait replaces the item. */
export interface Form {
	responseType: ResponseType;
	message: string;
	buttons: Array<{ value: string; label: string }>;
	/** Whether the person can say why they decline: an AI model reads it. */
	asksReason: boolean;
	texts: PageTexts;
}

export interface Question extends Form {
	run: string;
	/** Random, in the link: one node can ask several questions in one execution, and n8n 1 may not check its signature. */
	proof: string;
	to: string;
	messageId?: string;
}

/** Query field of the link that holds the proof. */
const proofField = 'q';

/** Another attempt of the run finds the proof that went out. */
export function openProof(context: IExecuteFunctions): string {
	const memory = context.getContext('node');
	const run = readRun(context);
	const known = memory.question as Question | undefined;
	const proof = known?.run === run ? known.proof : randomBytes(12).toString('base64url');
	memory.question = { run, proof };
	return proof;
}

/** Keeps the question for the time when the person responds, also over a restart of n8n. */
export function rememberQuestion(
	context: IExecuteFunctions,
	question: Omit<Question, 'run'>,
): Question {
	const asked = { ...question, run: readRun(context) };
	context.getContext('node').question = asked;
	return asked;
}

/** The question that the execution waits for, where the link is that of this question. */
export function recallQuestion(context: IWebhookFunctions): {
	question?: Question;
	isOpen: boolean;
} {
	const question = recallMemory(context, 'question') as Question | undefined;
	// Before it is sent, there is nothing but its proof.
	if (!question?.texts) return { isOpen: false };
	const { [proofField]: given } = context.getQueryData() as IDataObject;
	return { question, isOpen: isSecretRight(question.proof, given) };
}

/** In n8n 2 the signature in the link is always checked, in n8n 1 when the node asks for it. */
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

/** Whatever was asked, nobody approved it. */
export function toTimedOut(question: Question): IDataObject {
	return toOutput(question, { approved: false }, true);
}
