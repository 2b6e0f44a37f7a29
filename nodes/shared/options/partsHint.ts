import { nameFirst } from '../input/InputError';
import { describeCharacter, type UnicodeCost } from '../input/parts';

export interface Charge {
	encoding: 'GSM-7' | 'UCS-2';
	parts: number;
	/** Set if a few characters alone increase the number of parts. */
	unicode?: UnicodeCost;
}

/** The remedy for characters that make a text Unicode. */
export const replaceCharacters =
	'Remove them, or replace them in an expression, such as .replaceAll("’", "\'").';

/** Which characters made texts Unicode, and their cost in parts; empty if none did. */
function describeUnicode(charges: Charge[]): string {
	const costly = charges.flatMap(({ parts, unicode }) => (unicode ? [{ parts, ...unicode }] : []));
	if (costly.length === 0) return '';
	const characters = new Set(costly.flatMap((cost) => cost.characters));
	const named = nameFirst([...characters].map(describeCharacter));
	const sum = (of: (cost: (typeof costly)[number]) => number) =>
		costly.reduce((total, cost) => total + of(cost), 0);
	const cost = `${sum(({ parts }) => parts)} parts instead of ${sum(({ partsWithout }) => partsWithout)}`;
	return `${cost} because of ${named}. ${replaceCharacters}`;
}

/** Hints below the output; none if every text was charged as one part. */
export function describeParts(charges: Charge[]): string[] {
	const long = charges.filter(({ parts }) => parts > 1);
	if (long.length === 0) return [];
	const total = charges.reduce((sum, { parts }) => sum + parts, 0);
	const which =
		charges.length === 1
			? `The message needs ${total} parts`
			: `${long.length} of ${charges.length} messages need more than one part: ${total} parts in all`;
	return [`${which}. Limit this with Max Parts.`, describeUnicode(long)];
}
