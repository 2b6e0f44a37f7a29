import type { NodeExecutionHint } from 'n8n-workflow';

import type { UnicodeCost } from '../validation/parts';
import { describeCharacter } from '../validation/typography';

export interface Charge {
	encoding: 'GSM-7' | 'UCS-2';
	parts: number;
	/** Set if a few characters alone increase the number of parts. */
	unicode?: UnicodeCost;
}

const mostNamed = 5;

/** Which characters made texts Unicode, and their cost in parts; empty if none did. */
function describeUnicode(charges: Charge[]): string {
	const costly = charges.flatMap(({ parts, unicode }) => (unicode ? [{ parts, ...unicode }] : []));
	if (costly.length === 0) return '';
	const characters = new Set(costly.flatMap((cost) => cost.characters));
	const named = [...characters].slice(0, mostNamed).map(describeCharacter).join(', ');
	const more = characters.size > mostNamed ? ` and ${characters.size - mostNamed} others` : '';
	const sum = (of: (cost: (typeof costly)[number]) => number) =>
		costly.reduce((total, cost) => total + of(cost), 0);
	return ` In ${costly.length} of them, only ${named}${more} makes the text Unicode: ${sum(({ parts }) => parts)} parts instead of ${sum(({ partsWithout }) => partsWithout)}. SMS Send and SMS Bulk Send have the option Replace Typographic Characters for curly quotes, dashes, special spaces and ellipses.`;
}

/** A hint below the output; none if every text was charged as one part. */
export function describeParts(charges: Charge[]): NodeExecutionHint[] {
	const long = charges.filter(({ parts }) => parts > 1);
	if (long.length === 0) return [];
	const total = charges.reduce((sum, { parts }) => sum + parts, 0);
	const most = long.reduce((highest, { parts }) => Math.max(highest, parts), 0);
	return [
		{
			message: `${long.length} of ${charges.length} messages are long and charged as up to ${most} parts each, ${total} parts in all. Texts with Burmese letters or emojis hold 70 characters in one part, others 160, where each of ^ { } [ ] ~ | \\ € counts as two.${describeUnicode(long)} Use Max Parts to limit the parts of a message.`,
			location: 'outputPane',
		},
	];
}
