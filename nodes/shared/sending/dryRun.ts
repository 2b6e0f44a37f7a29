import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Delivery } from '../delivery/Delivery';
import { keyOf } from '../delivery/Recognition';
import type { Found } from '../delivery/LookBack';
import { placeOf, type Place } from '../execution/place';
import { toErrorItem } from '../execution/toNodeError';
import { describeParts } from '../fields/partsHint';
import { countryOf } from '../validation/country';
import { listRecipients, toRecipientKey } from '../validation/recipient';
import { describeSchedule } from '../validation/scheduledAt';
import { DryRunTotals } from './DryRunTotals';
import { findEmptyField } from './emptyFields';
import { listCharges, type Plan, type Planned, type SendRun } from './readPlan';

/** The sentence, and the facts that a workflow tells errors apart by, as in an error item. */
interface Rejection {
	rejected: string;
	details: IDataObject;
}

type Reason = Rejection | { skipped: string } | undefined;

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
		...(at && { scheduledAt: at, ...describeSchedule(at, serviceTimeZone) }),
	};
}

function toRejection(error: unknown, place: Place): Rejection {
	const { error: rejected, details } = toErrorItem(error, place);
	return { rejected, details };
}

/** Messages that repeat an earlier one of the run: Skip If Already Sent would skip them. */
function findRepeats({ channel }: SendRun, planned: Planned[]): Set<Planned> {
	const keys = new Set<string>();
	return new Set(
		planned.filter(({ outgoing }) => {
			if (!outgoing?.isSkipping || !channel.hasReference) return false;
			const key = keyOf(outgoing, channel) ?? '';
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

/** Why the whole run would send nothing. */
function describeStop(
	{ results, reports }: SendRun,
	{ invalid }: Plan,
	runError: unknown,
): string | undefined {
	if (runError) return `Nothing would be sent: ${(runError as Error).message}.`;
	if (!results.isToStop || invalid.size === 0) return undefined;
	const items = invalid.size === 1 ? '1 item is' : `${invalid.size} items are`;
	return `${items} wrong (of ${reports.length}). Until ${invalid.size === 1 ? 'it is' : 'they are'} corrected, nothing is sent: Settings > On Error is Stop Workflow.`;
}

/** A number that an earlier message of the run has already. */
function createRepeats(): (to: string) => boolean {
	const seen = new Set<string>();
	return (to) => {
		const key = toRecipientKey(to);
		const isRepeat = seen.has(key);
		seen.add(key);
		return isRepeat;
	};
}

/** Wrong items first: they need the user. */
function putFirst(wrong: ReadonlySet<number>, rows: INodeExecutionData[]): INodeExecutionData[] {
	const isWrong = ({ pairedItem }: INodeExecutionData) =>
		wrong.has((pairedItem as { item: number }).item);
	return [...rows.filter(isWrong), ...rows.filter((row) => !isWrong(row))];
}

/**
 * Option Dry Run: reports what would be sent once the wrong items are corrected. Failures are rows, not errors, so that
 * one invalid row does not hide the others.
 */
export async function rehearse(
	run: SendRun,
	plan: Plan,
	runError: unknown,
): Promise<INodeExecutionData[][]> {
	const { context, client, results, reports, values } = run;
	const totals = new DryRunTotals(values);
	const isRepeat = createRepeats();
	const gaps = new Map<number, string | undefined>();
	const gapOf = (item: number) => {
		if (!gaps.has(item)) gaps.set(item, findEmptyField(context, item));
		return gaps.get(item);
	};
	const found = await lookBack(run, plan.planned);
	const repeats = findRepeats(run, plan.planned);
	const stop = describeStop(run, plan, runError);
	const wrong = new Set(plan.invalid.keys());
	const add = (item: number, row: IDataObject, isHeldBack = false) => {
		totals.add(row, isHeldBack);
		reports[item].add(row);
	};
	const findReason = (planned: Planned): Reason => {
		const { item, record, skipped, outgoing } = planned;
		if (skipped) return { skipped };
		const earlier = record ?? (outgoing && found.get(outgoing));
		if (earlier instanceof Error) return toRejection(earlier, placeOf(context, item));
		if (earlier || repeats.has(planned)) return { skipped: 'alreadySent' };
		return runError ? toRejection(runError, placeOf(context, item)) : undefined;
	};
	for (const planned of plan.planned) {
		const { item, to, draft } = planned;
		const reason = findReason(planned);
		const isHeldBack =
			runError !== undefined && draft !== undefined && !(reason && 'skipped' in reason);
		const emptyField = wrong.has(item) ? undefined : gapOf(item);
		const row = toRow(planned, reason, client.serviceTimeZone);
		add(item, { ...row, ...(emptyField !== undefined && { emptyField }) }, isHeldBack);
		totals.notice({ isRepeat: isRepeat(to), hasGap: emptyField !== undefined });
	}
	for (const [item, error] of plan.invalid) {
		const recipients = listRecipients(reports[item].to);
		const rejection = toRejection(results.explain(item, error), placeOf(context, item));
		const row = { dryRun: true, wouldSend: false, ...rejection };
		if (recipients.length === 0) add(item, row);
		for (const to of recipients) add(item, { to, ...row });
		totals.notice({ hasGap: gapOf(item) !== undefined, isInvalid: true });
	}
	const { pricePerPart: price } = values;
	const cost =
		price === undefined
			? ''
			: await totals.describeCost(price, async () => await client.getBalance());
	const message = [totals.describe(stop), cost].filter(Boolean).join(' ');
	context.addExecutionHints(...describeParts(listCharges(plan)), {
		message,
		location: 'outputPane',
	});
	const [rows, ...others] = results.finish();
	return [putFirst(wrong, rows), ...others];
}
