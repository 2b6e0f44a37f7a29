import type { INodeProperties } from 'n8n-workflow';

import { attempt, describeValue, refuse } from '../shared/input/InputError';
import { readScheduled } from '../shared/input/schedule';
import { dayMs, hourMs, minuteMs, readDuration } from '../shared/input/time';
import { isEmptyValue, option } from '../shared/options/option';

const unitMs = new Map<unknown, number>([
	['minutes', minuteMs],
	['hours', hourMs],
	['days', dayMs],
]);

/** When the wait ends: milliseconds after the question was sent, or at a date and time as entered. */
export type WaitLimit = { afterMs: number } | { at: unknown };

const field = 'limitWaitTime';
function readInterval(amount: unknown, unit: unknown): WaitLimit {
	const afterMs = readDuration(amount, unitMs.get(unit) ?? NaN);
	if (afterMs !== undefined) return { afterMs };
	const what = `is not a valid duration: ${describeValue(amount)} ${describeValue(unit)}`;
	return refuse(field, what, 'Enter more than 0, and at most 365 days.');
}

function readLimit(value: unknown): WaitLimit {
	const { values = {} } = value as { values?: Record<string, unknown> };
	const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours' } = values;
	if (limitType === 'afterTimeInterval') return readInterval(resumeAmount, resumeUnit);
	if (limitType !== 'atSpecifiedTime')
		return refuse(field, 'has an invalid Limit Type', 'Choose from the list.', limitType);
	const { maxDateAndTime: at } = values;
	if (isEmptyValue(at)) return refuse(field, 'has no date and time', 'Fill in Max Date and Time.');
	return { at };
}

/** Names and values follow n8n's own send-and-wait nodes. */
const values: INodeProperties[] = [
	{
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		options: [
			{
				name: 'After Time Interval',
				value: 'afterTimeInterval',
				description: 'Waits for a certain amount of time',
			},
			{
				name: 'At Specified Time',
				value: 'atSpecifiedTime',
				description: 'Waits until the set date and time',
			},
		],
		default: 'afterTimeInterval',
		description: 'What ends the wait',
	},
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		description: 'The time to wait',
	},
	{
		displayName: 'Unit',
		name: 'resumeUnit',
		type: 'options',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		options: [
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Days', value: 'days' },
		],
		default: 'hours',
		description: 'Unit of the amount',
	},
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		default: '',
		description: 'When the wait ends, in the time zone of the workflow',
	},
];

export const limitWaitTime = option<WaitLimit>(
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'fixedCollection',
		default: { values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'days' } },
		options: [{ displayName: 'Values', name: 'values', values }],
		description:
			'How long to wait for the response, by default one day. If nobody responds, the workflow continues 90 seconds after the limit.',
	},
	{ afterMs: dayMs },
	readLimit,
);

/** Validates the end of the wait. @returns milliseconds since 1970 @throws InputError */
export function findEnd(limit: WaitLimit, timeZone: string, now: number): number {
	if ('afterMs' in limit) return now + limit.afterMs;
	const read = attempt(() => readScheduled(limit.at, timeZone));
	const at = 'value' in read ? read.value : NaN;
	if (readDuration(at - now, 1) !== undefined) return at;
	const hint = `Choose a later time, and check the time zone of the workflow (${timeZone}).`;
	return refuse(field, 'is not a time within the next 365 days', hint, String(limit.at));
}
