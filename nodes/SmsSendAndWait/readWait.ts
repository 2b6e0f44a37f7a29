import type { IDataObject } from 'n8n-workflow';

import type { ReadField } from '../shared/fields/readParameters';
import {
	readSendRequest,
	type SendSettings,
	type Surroundings,
} from '../shared/fields/readSendRequest';
import { readRecipients } from '../shared/fields/recipients';
import { InputError } from '../shared/validation/InputError';
import type { WaitFor } from './outcome';

const minuteMs = 60_000;
/** One year; n8n itself sets no limit. */
const longestMinutes = 525_600;

export interface Wait {
	number: string;
	settings: SendSettings;
	waitFor: WaitFor;
	limitMs: number;
}

function readTimeLimit(value: unknown): number {
	const minutes = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	const isUsable = typeof minutes === 'number' && minutes > 0 && minutes <= longestMinutes;
	if (isUsable) return minutes * minuteMs;
	throw new InputError(
		'timeLimit',
		'Time Limit must be a number of minutes above 0',
		'Use a number such as 60 for an hour.',
	);
}

function readNumber(value: unknown, options: IDataObject): string {
	const numbers = readRecipients(value, options);
	if (numbers.length === 1) return numbers[0];
	throw new InputError(
		'to',
		'To holds several numbers, and this node waits for one message',
		'Nothing was sent. Give one number, or use one item for each number and a Loop Over Items node.',
	);
}

/** Everything that is wrong is said before anything is sent. */
export function readWait(readField: ReadField, item: number, surroundings: Surroundings): Wait {
	const options = readField('options', item, {}) as IDataObject;
	return {
		number: readNumber(readField('to', item), options),
		settings: readSendRequest(readField, options, item, surroundings),
		waitFor: readField('waitFor', item) === 'delivered' ? 'delivered' : 'anyFinal',
		limitMs: readTimeLimit(readField('timeLimit', item)),
	};
}
