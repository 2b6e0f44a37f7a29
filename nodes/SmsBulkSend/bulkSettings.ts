import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionalWholeNumber } from '../shared/fields/readParameters';
import { readSkipIfAlreadySent, readWhenUnclear } from '../shared/fields/readSendRequest';

export interface BulkSettings {
	recipientsPerRequest: number;
	/** Milliseconds. */
	pauseBetweenRequests: number;
	/** No second request goes out for a message while the outcome of one is unknown. */
	isSentOnce: boolean;
	/** Options Skip If Already Sent and Look Back, in milliseconds. */
	isSkipping: boolean;
	lookBackMs: number;
}

const defaultRecipientsPerRequest = 100;
const mostRecipientsPerRequest = 1000;
const mostPauseMs = 60_000;
const defaultLookBackHours = 24;
/** A month. */
const mostLookBackHours = 744;
const hourMs = 3_600_000;

export const lookBackHours: INodeProperties = {
	displayName: 'Look Back (Hours)',
	name: 'lookBackHours',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: mostLookBackHours, numberPrecision: 0 },
	default: defaultLookBackHours,
	description: 'How far back Skip If Already Sent looks into message history',
};

export const pauseBetweenRequests: INodeProperties = {
	displayName: 'Pause Between Requests (Milliseconds)',
	name: 'pauseBetweenRequests',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: mostPauseMs, numberPrecision: 0 },
	default: 0,
	description: 'How long to wait before the next request is begun',
};

export const recipientsPerRequest: INodeProperties = {
	displayName: 'Recipients per Request',
	name: 'recipientsPerRequest',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: mostRecipientsPerRequest, numberPrecision: 0 },
	default: defaultRecipientsPerRequest,
	description: 'How many recipients are packed into one request',
};

/**
 * Reads the settings of a run from the options of its first item.
 * @throws InputError
 */
export function readSettings(options: IDataObject): BulkSettings {
	const read = ({ name, displayName }: INodeProperties, least: number, most: number) =>
		optionalWholeNumber(options[name], name, displayName, least, most);
	return {
		recipientsPerRequest:
			read(recipientsPerRequest, 1, mostRecipientsPerRequest) ?? defaultRecipientsPerRequest,
		pauseBetweenRequests: read(pauseBetweenRequests, 0, mostPauseMs) ?? 0,
		isSentOnce: readWhenUnclear(options.whenUnclear) === 'report',
		isSkipping: readSkipIfAlreadySent(options),
		lookBackMs: hourMs * (read(lookBackHours, 1, mostLookBackHours) ?? defaultLookBackHours),
	};
}
