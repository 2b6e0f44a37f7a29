import type { NodeExecutionHint } from 'n8n-workflow';

import type { Charge } from '../shared/fields/partsHint';
import { declareError } from '../shared/validation/InputError';
import { countParts } from '../shared/validation/parts';
import type { Form } from './question';
import { callPlace, withoutCall } from './review';

/** Limit for a human review without Max Parts: an AI model writes text of any length. */
const maxPartsOfReview = 4;

const tooManyParts = declareError(
	'Message and link have <parts> parts, but Max Parts is <limit>',
	'Shorten Message, or raise Max Parts: the link alone has <length> characters.',
);

type Asked = Pick<Form, 'message' | 'call' | 'texts'> & {
	/** Option Unicode. */
	isUnicode?: boolean;
};

export interface SmsText {
	text: string;
	charge: Charge;
}

function withLink(message: string, link: string, isUnicode?: boolean): SmsText {
	const text = `${message}\n${link}`;
	const { parts, encoding } = countParts(text, isUnicode);
	return { text, charge: { parts, encoding } };
}

/** What is left of each part of a text before arguments are left to the page. */
const shortest = 10;

/** The start of a text. Three dots, since … would make it Unicode. */
function cut(text: string, most: number): string {
	const characters = Array.from(text);
	return characters.length > most ? `${characters.slice(0, most).join('').trimEnd()}...` : text;
}

/** A review: its words, then where they have a place for it the call, each name and each value on a line of its own. */
function writeReview({ message, call, texts }: Asked, most: number, told: number): string {
	const words = cut(withoutCall(message), most);
	const all = message.includes(callPlace) && call ? call.arguments : [];
	const lines = all.slice(0, told).flatMap(({ name, text, entries }, index) => {
		const count = entries > 1 ? ` (${entries} ${texts.entries})` : '';
		return [`${index + 1}/${all.length} ${name}:`, `${cut(text, most)}${count}`];
	});
	const left = all.length - told;
	return [words, ...lines, ...(left > 0 ? [`${left} ${texts.more}`] : [])].join('\n').trim();
}

/** The longest review that fits: all parts are cut to the same length, and only then the last arguments left out. */
function fitReview(asked: Asked, link: string, limit: number): SmsText | undefined {
	const all = asked.call?.arguments ?? [];
	const longest = Math.max(asked.message.length, ...all.map(({ text }) => text.length));
	for (let told = all.length, fits: SmsText | undefined; told >= 0; told -= 1) {
		for (let low = shortest, high = Math.max(longest, shortest); low <= high; ) {
			const most = Math.floor((low + high) / 2);
			const text = withLink(writeReview(asked, most, told), link, asked.isUnicode);
			if (text.charge.parts > limit) high = most - 1;
			else [fits, low] = [text, most + 1];
		}
		if (fits) return fits;
	}
	return undefined;
}

/**
 * The text of the SMS: message and link. Reviews are cut to the limit; the page shows the whole call.
 * @throws InputError if it has more parts than Max Parts allows
 */
export function writeSms(asked: Asked, link: string, maxParts: number): SmsText {
	const limit = asked.call && maxParts === Infinity ? maxPartsOfReview : maxParts;
	const fits = asked.call
		? fitReview(asked, link, limit)
		: withLink(asked.message, link, asked.isUnicode);
	if (fits && fits.charge.parts <= limit) return fits;
	const { parts } = withLink(asked.message, link, asked.isUnicode).charge;
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
