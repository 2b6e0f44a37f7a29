import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { proofField } from '../shared/n8n/waiting';
import { InputError } from '../shared/input/InputError';
import { countParts, type PartCount, withoutZeroWidthSpaces } from '../shared/input/parts';
import type { Form } from './page';

export interface Question extends Form {
	to: string;
	from: string;
	messageId?: string;
}

/** n8n 2 always checks the signature in the link; n8n 1 only if the node requires it. */
export function createLink(context: IExecuteFunctions, proof: string): string {
	const ofN8n1 = context as { setSignatureValidationRequired?(): void };
	ofN8n1.setSignatureValidationRequired?.();
	return context.getSignedResumeUrl({ [proofField]: proof });
}

/** The text of the SMS: message and link. @throws InputError if it has more parts than Max Parts allows */
export function writeSms(message: string, link: string, isUnicode: boolean, limit: number) {
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
export function describeCharge(charge: PartCount, link: string): string {
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

/** Of an error item: an earlier approval in the input, which n8n merges into it, must not look like one of this question. */
export const unapproved = { approved: false, data: { approved: false } };

export function toTimedOut(question: Question, until: number): IDataObject {
	return { ...toOutput(question, {}, true), waitedUntil: new Date(until).toISOString() };
}
