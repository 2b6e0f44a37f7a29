import type { NodeExecutionHint } from 'n8n-workflow';

import type { Charge } from '../shared/options/partsHint';
import { declareError } from '../shared/input/InputError';
import { countParts } from '../shared/input/parts';

const tooManyParts = declareError(
	'Message and link have <parts> parts, but Max Parts is <limit>',
	'Shorten Message, or raise Max Parts: the link alone has <length> characters.',
);

export interface SmsText {
	text: string;
	charge: Charge;
}

/** The text of the SMS: message and link. @throws InputError if it has more parts than Max Parts allows */
export function writeSms(
	message: string,
	link: string,
	isUnicode: boolean,
	limit: number,
): SmsText {
	const text = `${message}\n${link}`;
	const { parts, encoding } = countParts(text, isUnicode);
	if (parts <= limit) return { text, charge: { parts, encoding } };
	throw tooManyParts('message', { parts, limit, length: link.length });
}

/** A hint below the output: what one question costs. */
export function describeCharge({ text, charge }: SmsText, link: string): NodeExecutionHint {
	const { parts, encoding } = charge;
	const { units, unitsPerPart } = countParts(text, encoding === 'UCS-2');
	const room = parts * unitsPerPart;
	const noun = parts === 1 ? 'part' : 'parts';
	const reason =
		encoding === 'UCS-2'
			? ' Letters such as Burmese ones, or the option Unicode, make it Unicode.'
			: '';
	return {
		message: `Each question is charged as ${parts} ${noun}: ${units} of ${room} characters, ${link.length} of them for the link.${reason}`,
		location: 'outputPane',
	};
}
