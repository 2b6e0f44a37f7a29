import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../delivery/ledger';
import { openOnce } from '../execution/openOnce';
import {
	createFieldReader,
	createOptionsReader,
	readSwitch,
	type ReadField,
} from '../fields/readParameters';
import { describeValue, InputError } from '../validation/InputError';
import { readOptedOut } from '../validation/optedOut';
import { readSendWindow, type SendWindow } from '../validation/sendWindow';
import { Skips, type SkipSettings } from './Skips';

/** What the options of a campaign ask of a run. */
export interface Campaign {
	isDryRun?: boolean;
	pricePerPart?: number;
	/** Undefined where nobody is skipped. */
	skips?: SkipSettings;
	sendWindow?: SendWindow;
}

const options = ['doNotSendTo', 'dryRun', 'sendWindow', 'skipDuplicates'];

function readPrice(value: unknown): number | undefined {
	if (value === undefined || value === 0) return undefined;
	const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof price === 'number' && Number.isFinite(price) && price >= 0) return price || undefined;
	throw new InputError(
		'pricePerPart',
		`Price per Part must be a number of at least 0, but is ${describeValue(value)}`,
		'Use a number such as 12 or 12.5.',
	);
}

function readSkips(values: IDataObject): SkipSettings | undefined {
	const isSkippingDuplicates = readSwitch(values, 'skipDuplicates', 'Skip Duplicates');
	const isOptingOut = Object.hasOwn(values, 'doNotSendTo');
	const optedOut = isOptingOut ? readOptedOut(values.doNotSendTo) : new Set<string>();
	if (!isSkippingDuplicates && optedOut.size === 0) return undefined;
	return { isSkippingDuplicates, optedOut };
}

/**
 * Reads what holds for a whole run from the options of the first item, once. What is wrong in it is thrown for each
 * item, so that nothing is sent.
 * @returns undefined when no such option is in use
 */
function createCampaignReader(
	context: IExecuteFunctions,
	readOptions: (item: number) => IDataObject,
): (() => Promise<Campaign>) | undefined {
	const written: unknown = context.getNode().parameters.options ?? {};
	const isInUse =
		typeof written === 'string' ||
		options.some((name) => Object.hasOwn(written as IDataObject, name));
	if (!isInUse) return undefined;
	return openOnce(async () => {
		const values = readOptions(0);
		return {
			isDryRun: readSwitch(values, 'dryRun', 'Dry Run'),
			pricePerPart: readPrice(values.pricePerPart),
			skips: readSkips(values),
			sendWindow: Object.hasOwn(values, 'sendWindow')
				? readSendWindow(values.sendWindow)
				: undefined,
		};
	});
}

/** What decides in a run who gets nothing; what earlier tries of it have sent stays. */
export function openSkips({ skips }: Campaign, ledger: Ledger): Skips | undefined {
	return skips && new Skips(skips, ledger.begun());
}

/** What is left of the recipients of a run, in any spelling, without those that are skipped. */
export async function leaveOutSkipped(
	read: (() => Promise<Campaign>) | undefined,
	recipients: string[],
): Promise<string[]> {
	const { skips } = (await read?.()) ?? {};
	return skips ? new Skips(skips).leaveOut(recipients) : recipients;
}

/** Whether a run sends nothing. What is wrong in its options is left for its items to say. */
export async function isDryRun(read: (() => Promise<Campaign>) | undefined): Promise<boolean> {
	if (!read) return false;
	return await read().then(
		(campaign) => campaign.isDryRun === true,
		() => false,
	);
}

/** How the items of a run are read. */
export interface Reading {
	context: IExecuteFunctions;
	readField: ReadField;
	readOptions: (item: number) => IDataObject;
	/** Undefined when no option of a campaign is in use. */
	readCampaign: (() => Promise<Campaign>) | undefined;
}

export function prepareReading(context: IExecuteFunctions): Reading {
	const readField = createFieldReader(context);
	const readOptions = createOptionsReader(context, readField);
	return {
		context,
		readField,
		readOptions,
		readCampaign: createCampaignReader(context, readOptions),
	};
}
