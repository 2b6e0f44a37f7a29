import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { ifItOpens } from '../execution/openOnce';
import { runPerItem } from '../execution/runPerItem';
import { toErrorItem } from '../execution/toNodeError';
import { describeParts, type Charge } from '../fields/partsHint';
import { countryOf } from '../validation/country';
import { DryRunTotals } from './DryRunTotals';
import type { Campaign } from './readCampaign';
import { Skips } from './Skips';

/** A message that a run would send. */
export interface Rehearsed {
	to: string;
	charge: Charge;
	/** What else the output shows of it. */
	shown: IDataObject;
	/** Option Skip If Already Sent. */
	wasSent?(): Promise<boolean>;
}

export interface Rehearsal {
	campaign: Campaign;
	/** @throws what the item would be refused for */
	readItem(item: number): Promise<Rehearsed[]>;
	/** The recipients of an item as they are written. */
	listTo(item: number): string[];
	/** Rejects where the whole run would be refused. */
	mayBegin(): Promise<void>;
	openClient(): Promise<MessagingServiceClient>;
}

/** What a run would do for one recipient. */
interface Row {
	json: IDataObject;
	charge?: Charge;
}

async function toSentence(work: () => Promise<unknown>, item: number): Promise<string | undefined> {
	return await work().then(
		() => undefined,
		(error: unknown) => toErrorItem(error, item).error,
	);
}

function toRefused(recipients: string[], refused: string): Row[] {
	const row = { dryRun: true, wouldSend: false, refused };
	if (recipients.length === 0) return [{ json: row }];
	return recipients.map((to) => ({ json: { to, ...row } }));
}

function toRow({ to, charge, shown }: Rehearsed, reason: IDataObject | undefined): Row {
	const country = countryOf(to.replace('+', '')) ?? null;
	const { encoding, parts } = charge;
	const wouldSend = reason === undefined;
	return {
		json: { to, dryRun: true, wouldSend, ...reason, country, encoding, parts, ...shown },
		charge: wouldSend ? charge : undefined,
	};
}

class ItemRehearsal {
	private readonly skips: Skips | undefined;

	constructor(private readonly rehearsal: Rehearsal) {
		const { skips } = rehearsal.campaign;
		this.skips = skips && new Skips(skips);
	}

	async rehearse(item: number): Promise<Row[]> {
		let messages: Rehearsed[] = [];
		let reasons: Array<IDataObject | undefined> = [];
		const refused = await toSentence(async () => {
			messages = await this.rehearsal.readItem(item);
			const numbers = messages.map(({ to }) => to);
			const skipped = this.skips?.take(numbers, item) ?? [];
			reasons = skipped.map((reason) => (reason ? { skipped: reason } : undefined));
		}, item);
		if (refused !== undefined) return toRefused(await this.listTo(item), refused);
		const refusedRun = await toSentence(async () => await this.rehearsal.mayBegin(), item);
		return await Promise.all(
			messages.map(async (message, index) => {
				const reason = reasons[index] ?? (await findSent(message, item));
				return toRow(message, reason ?? (refusedRun ? { refused: refusedRun } : undefined));
			}),
		);
	}

	private async listTo(item: number): Promise<string[]> {
		let recipients: string[] = [];
		await toSentence(async () => (recipients = this.rehearsal.listTo(item)), item);
		return recipients;
	}
}

async function findSent({ wasSent }: Rehearsed, item: number): Promise<IDataObject | undefined> {
	let isSent = false;
	const refused = await toSentence(async () => (isSent = (await wasSent?.()) ?? false), item);
	if (refused !== undefined) return { refused };
	return isSent ? { skipped: 'alreadySent' } : undefined;
}

/**
 * Option Dry Run: does everything but send, and gives out what would happen. Nothing of it is an error, so that one
 * wrong row does not hide the others, and no setting of On Error changes what comes out.
 */
export async function rehearse(
	context: IExecuteFunctions,
	rehearsal: Rehearsal,
): Promise<INodeExecutionData[][]> {
	const { campaign, openClient } = rehearsal;
	const ofItems = new ItemRehearsal(rehearsal);
	const totals = new DryRunTotals();
	const charges: Charge[] = [];
	const results = await runPerItem(context, {
		hasRoom: async () => await ifItOpens(openClient, async ({ pool }) => await pool.hasRoom()),
		work: async (item, report) => {
			for (const { json, charge } of await ofItems.rehearse(item)) {
				totals.add(json);
				if (charge) charges.push(charge);
				report.add(json);
			}
		},
	});
	const getBalance = async () => await (await openClient()).getBalance();
	const { pricePerPart: price } = campaign;
	const cost = price === undefined ? '' : await totals.describeCost(price, getBalance);
	const message = [totals.describe(), cost].filter(Boolean).join(' ');
	context.addExecutionHints(...describeParts(charges), { message, location: 'outputPane' });
	return results.finish();
}
