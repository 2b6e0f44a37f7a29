import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Delivery } from '../delivery/Delivery';
import type { Found } from '../delivery/LookBack';
import { toErrorItem } from '../execution/toNodeError';
import { describeParts } from '../fields/partsHint';
import { countryOf } from '../validation/country';
import { listRecipients } from '../validation/recipient';
import { serviceTimeToUtc } from '../validation/scheduledAt';
import { DryRunTotals } from './DryRunTotals';
import { listCharges, type Plan, type Planned } from './readPlan';
import type { SendRun } from './sendItems';

type Reason = { refused: string } | { skipped: string } | undefined;

function toRow({ to, draft }: Planned, reason: Reason, serviceTimeZone: string): IDataObject {
	const country = countryOf(to.replace('+', '')) ?? null;
	const { request, charge } = draft ?? {};
	const { from, message, encrypt, clientReference, scheduledAt: at } = request ?? {};
	return {
		to,
		dryRun: true,
		wouldSend: reason === undefined,
		...reason,
		country,
		...(charge && { encoding: charge.encoding, parts: charge.parts }),
		from,
		...(!encrypt && { message }),
		...(clientReference !== undefined && { clientReference }),
		...(at && { scheduledAt: at, scheduledAtUtc: serviceTimeToUtc(at, serviceTimeZone) }),
	};
}

function toSentence(error: unknown, item: number): string {
	return toErrorItem(error, item).error;
}

/** Messages that repeat an earlier one of the run: Skip If Already Sent would skip them. */
function findRepeats({ channel }: SendRun, planned: Planned[]): Set<Planned> {
	const keys = new Set<string>();
	return new Set(
		planned.filter(({ outgoing }) => {
			if (!outgoing?.isSkipping || !channel.isEarlierShared) return false;
			const key = channel.keyOf(outgoing) ?? '';
			const isRepeat = keys.has(key);
			keys.add(key);
			return isRepeat;
		}),
	);
}

/** Option Skip If Already Sent. A failed lookup is the reason given for each message with the option. */
async function lookBack({ client, ledger, channel }: SendRun, planned: Planned[]): Promise<Found> {
	const skipping = planned.flatMap(({ outgoing }) => (outgoing?.isSkipping ? [outgoing] : []));
	return await new Delivery(client, ledger, channel).lookBack
		.find(skipping)
		.catch((error: Error): Found => new Map(skipping.map((message) => [message, error])));
}

/** With On Error set to Stop Workflow, one invalid item stops the whole run before anything is sent. */
function describeStop({ results, reports }: SendRun, { invalid }: Plan): string | undefined {
	if (!results.isToStop || invalid.size === 0) return undefined;
	return `Nothing would be sent: ${invalid.size} of ${reports.length} items are wrong, and On Error is Stop Workflow.`;
}

/**
 * Option Dry Run: reports what the run would do with its On Error setting. Failures are rows, not errors, so that one
 * invalid row does not hide the others.
 */
export async function rehearse(
	run: SendRun,
	plan: Plan,
	runError: unknown,
): Promise<INodeExecutionData[][]> {
	const { context, client, results, reports, values } = run;
	const totals = new DryRunTotals();
	const found = await lookBack(run, plan.planned);
	const repeats = findRepeats(run, plan.planned);
	const stop = describeStop(run, plan);
	const add = (item: number, row: IDataObject) => {
		totals.add(row);
		reports[item].add(row);
	};
	const findReason = (planned: Planned): Reason => {
		const { item, record, skipped, outgoing } = planned;
		if (skipped) return { skipped };
		const earlier = record ?? (outgoing && found.get(outgoing));
		if (earlier instanceof Error) return { refused: toSentence(earlier, item) };
		if (earlier || repeats.has(planned)) return { skipped: 'alreadySent' };
		if (runError) return { refused: toSentence(runError, item) };
		return stop === undefined ? undefined : { refused: stop };
	};
	for (const planned of plan.planned) {
		add(planned.item, toRow(planned, findReason(planned), client.serviceTimeZone));
	}
	for (const [item, error] of plan.invalid) {
		const recipients = listRecipients(reports[item].to);
		const sentence = toSentence(results.explain(item, error), item);
		const row = { dryRun: true, wouldSend: false, refused: sentence };
		if (recipients.length === 0) add(item, row);
		for (const to of recipients) add(item, { to, ...row });
	}
	const { pricePerPart: price } = values;
	const cost = price ? await totals.describeCost(price, async () => await client.getBalance()) : '';
	const message = [totals.describe(), cost].filter(Boolean).join(' ');
	context.addExecutionHints(...describeParts(listCharges(plan)), {
		message,
		location: 'outputPane',
	});
	return results.finish();
}
