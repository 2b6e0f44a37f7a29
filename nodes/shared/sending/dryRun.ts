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
import { describeCost, describeTotals, type Row } from './dryRunTotals';
import { findEmptyField } from './emptyFields';
import { listCharges, type Plan, type Planned, type SendRun } from './readPlan';

/** The sentence, and the facts that a workflow tells errors apart by, as in an error item. */
interface Rejection {
	rejected: string;
	details: IDataObject;
}

type Reason = Rejection | { skipped: string } | undefined;

function toJson({ to, draft }: Planned, reason: Reason, serviceTimeZone: string): IDataObject {
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

/** The elements with the key of an earlier one. */
function findRepeats<T>(all: T[], keyOf: (one: T) => string): Set<T> {
	const seen = new Set<string>();
	return new Set(
		all.filter((one) => {
			const key = keyOf(one);
			const isRepeat = seen.has(key);
			seen.add(key);
			return isRepeat;
		}),
	);
}

/** Messages that repeat an earlier one of the run: Skip If Already Sent would skip them. */
function findSame({ channel }: SendRun, planned: Planned[]): Set<Planned> {
	const skipping = planned.filter(({ outgoing }) => outgoing?.isSkipping && channel.hasReference);
	return findRepeats(skipping, ({ outgoing }) => (outgoing && keyOf(outgoing, channel)) ?? '');
}

/** A row for each message that could be planned, then for each recipient of the items that are wrong. */
async function toRows(run: SendRun, plan: Plan, runError: unknown): Promise<Row[]> {
	const { context, client, results, reports } = run;
	const found = await lookBack(run, plan.planned);
	const same = findSame(run, plan.planned);
	const repeats = findRepeats(plan.planned, ({ to }) => toRecipientKey(to));
	const gaps = reports.map((_, item) => findEmptyField(context, item));
	const findReason = (planned: Planned): Reason => {
		const { item, record, skipped, outgoing } = planned;
		if (skipped) return { skipped };
		const earlier = record ?? (outgoing && found.get(outgoing));
		if (earlier instanceof Error) return toRejection(earlier, placeOf(context, item));
		if (earlier || same.has(planned)) return { skipped: 'alreadySent' };
		return runError ? toRejection(runError, placeOf(context, item)) : undefined;
	};
	const valid = plan.planned.map((planned): Row => {
		const { item, draft } = planned;
		const reason = findReason(planned);
		const emptyField = plan.invalid.has(item) ? undefined : gaps[item];
		const hasGap = emptyField !== undefined;
		const json = {
			...toJson(planned, reason, client.serviceTimeZone),
			...(hasGap && { emptyField }),
		};
		const isSkipped = reason !== undefined && 'skipped' in reason;
		const isHeldBack = runError !== undefined && draft !== undefined && !isSkipped;
		return { item, json, isHeldBack, isRepeat: repeats.has(planned), hasGap };
	});
	const invalid = [...plan.invalid].flatMap(([item, error]) => {
		const rejection = toRejection(results.explain(item, error), placeOf(context, item));
		const json = { dryRun: true, wouldSend: false, ...rejection };
		const recipients = listRecipients(reports[item].to);
		const each = recipients.length > 0 ? recipients.map((to) => ({ to, ...json })) : [json];
		const isGap = (n: number) => n === 0 && gaps[item] !== undefined;
		return each.map((one, n): Row => ({ item, json: one, hasGap: isGap(n), isInvalid: true }));
	});
	return [...valid, ...invalid];
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
	const rows = await toRows(run, plan, runError);
	for (const { item, json } of rows) reports[item].add(json);
	const { pricePerPart: price } = values;
	const cost =
		price === undefined
			? ''
			: await describeCost(rows, price, async () => await client.getBalance());
	const totals = describeTotals(rows, values, describeStop(run, plan, runError));
	context.addExecutionHints(...describeParts(listCharges(plan)), {
		message: [totals, cost].filter(Boolean).join(' '),
		location: 'outputPane',
	});
	const [output, ...others] = results.finish();
	// Wrong items first: they need the user.
	const isWrong = ({ pairedItem }: INodeExecutionData) =>
		plan.invalid.has((pairedItem as { item: number }).item);
	return [[...output.filter(isWrong), ...output.filter((row) => !isWrong(row))], ...others];
}
