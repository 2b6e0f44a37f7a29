import type { NodeExecutionHint } from 'n8n-workflow';

import type { Charge } from '../shared/fields/partsHint';
import { declareError } from '../shared/validation/InputError';
import { countParts } from '../shared/validation/parts';

/** Limit for a human review without Max Parts: an AI model writes text of any length. */
const maxPartsOfReview = 4;

const tooManyParts = declareError(
	'Message and link have <parts> parts, but Max Parts is <limit>',
	'Shorten Message, or raise Max Parts: the link alone has <length> characters.',
);

export interface SmsText {
	text: string;
	charge: Charge;
}

function withLink(message: string, link: string): SmsText {
	const text = `${message}\n${link}`;
	const { parts, encoding } = countParts(text);
	return { text, charge: { parts, encoding } };
}

/** The longest start of the message that fits with its link. Three dots, since … would make the text Unicode. */
function cut(message: string, link: string, maxParts: number): SmsText | undefined {
	const characters = Array.from(message);
	const cutAt = (length: number) =>
		withLink(`${characters.slice(0, length).join('').trimEnd()}...`, link);
	let fits: SmsText | undefined;
	for (let low = 1, high = characters.length; low <= high; ) {
		const middle = Math.floor((low + high) / 2);
		const candidate = cutAt(middle);
		if (candidate.charge.parts > maxParts) high = middle - 1;
		else [fits, low] = [candidate, middle + 1];
	}
	return fits;
}

/**
 * The text of the SMS: message and link. Reviews are cut to the limit; the page shows the whole message.
 * @throws InputError if it has more parts than Max Parts allows
 */
export function writeSms(
	message: string,
	link: string,
	{ maxParts, isReview }: { maxParts: number; isReview: boolean },
): SmsText {
	const limit = isReview && maxParts === Infinity ? maxPartsOfReview : maxParts;
	const whole = withLink(message, link);
	if (whole.charge.parts <= limit) return whole;
	const shortened = isReview ? cut(message, link, limit) : undefined;
	if (shortened) return shortened;
	throw tooManyParts('message', { parts: whole.charge.parts, limit, length: link.length });
}

/** A hint below the output: what one question costs. */
export function describeCharge({ text, charge }: SmsText, link: string): NodeExecutionHint {
	const { parts, encoding } = charge;
	const { units, unitsPerPart } = countParts(text);
	const room = parts * unitsPerPart;
	const noun = parts === 1 ? 'part' : 'parts';
	const reason = encoding === 'UCS-2' ? ' Letters such as Burmese ones make it Unicode.' : '';
	return {
		message: `Each question is charged as ${parts} ${noun}: ${units} of ${room} characters, ${link.length} of them for the link.${reason}`,
		location: 'outputPane',
	};
}
