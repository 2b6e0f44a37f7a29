import type { INodeProperties } from 'n8n-workflow';

import { canonicalStatus, listStatuses } from '../client/status';
import { findChoice } from './option';

/** Words for all final statuses of an outcome: the trigger's, and those of SMS History. Both nodes accept all. */
const ofOutcome: Record<string, boolean> = {
	ondelivered: true,
	onnotdelivered: false,
	notdelivered: false,
};

function readStatus(property: INodeProperties, word: unknown): string[] {
	const text = typeof word === 'string' ? word.trim() : '';
	const outcome = ofOutcome[text.toLowerCase()];
	if (outcome === undefined) return [findChoice(property, text ? canonicalStatus(text) : word)];
	return listStatuses(outcome);
}

/** The statuses that a list or a text with commas names, in any spelling. @throws InputError */
export function readStatuses(property: INodeProperties, value: unknown): string[] {
	const words: unknown[] =
		typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
	return words.flatMap((word) => readStatus(property, word));
}
