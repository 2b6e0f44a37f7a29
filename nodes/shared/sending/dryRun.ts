import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Delivery } from '../delivery/deliver';
import type { Found } from '../delivery/history';
import { groupBy, toOutcomeUnknown } from '../delivery/message';
import { toErrorItem, withoutEmpty } from '../n8n/errors';
import { addHints, findName } from '../n8n/items';
import { countryOf } from './country';
import { comparableReference } from '../input/comparison';
import { listRecipients, toRecipientKey } from '../input/number';
import { describeSchedule } from '../input/time';
import { createChecks } from './checks';
import type { Plan, SendRun } from './plan';
import { contentOf, type Planned } from './planned';
import { describeCost, describeTotals, type Row, toAmount } from './totals';

/** Why a message would not be sent, and the facts that a workflow tells reasons apart by. */
type Reason =
	| { reason: string; details: IDataObject }
	| { reason: string; skipped: string }
	| undefined;

const skipWords: Record<string, string> = {
	duplicate: 'Skip Duplicates: an earlier item has this number and text',
	optedOut: 'Do Not Send To has this number',
	alreadySent: 'Skip If Already Sent: message history shows this message',
};

const toSkipped = (skipped: string): Reason => ({ reason: skipWords[skipped], skipped });

/** What people read comes first. */
function toJson(
	{ to, draft }: Planned,
	reason: Reason,
	name: unknown,
	serviceTimeZone: string,
): IDataObject {
	const country = countryOf(to.replace('+', '')) ?? null;
	const { request, charge } = draft ?? {};
	const { from, message, encrypt, clientReference, scheduledAt: at } = request ?? {};
	return {
		to,
		...withoutEmpty({ name }),
		...(!encrypt && { message }),
		...(charge && { parts: charge.parts }),
		wouldSend: reason === undefined,
		...reason,
		dryRun: true,
		country,
		...(charge && { encoding: charge.encoding }),
		from,
		...(clientReference !== undefined && { clientReference }),
		...(at && { scheduledAt: at, ...describeSchedule(at, serviceTimeZone) }),
	};
}

/** Without its item, so that equal reasons have equal words. */
function toReason(error: unknown, itemIndex: number) {
	const { error: reason, details } = toErrorItem(error, { itemIndex, items: 1 });
	return { reason, details: withoutEmpty({ ...details, description: undefined }) };
}

/** Option Skip If Already Sent. A failed lookup is the reason given for each message with the option. */
async function lookBack({ client, ledger, channel }: SendRun, planned: Planned[]): Promise<Found> {
	const messages = planned.flatMap(({ outgoing }) => outgoing ?? []);
	const skipping = messages.filter(({ isSkipping }) => isSkipping);
	return await new Delivery(client, ledger, channel, messages)
		.findEarlier()
		.catch((error: Error): Found => new Map(skipping.map((message) => [message, error])));
}

/** Why the whole run would send nothing. */
function describeStop(
	{ results, reports }: SendRun,
	{ invalid }: Plan,
	runError: unknown,
): string | undefined {
	if (runError) return `Nothing would be sent: ${(runError as Error).message}.`;
	const { length } = invalid;
	if (!results.isToStop || length === 0) return undefined;
	const items = length === 1 ? '1 item is' : `${length} items are`;
	return `${items} wrong (of ${reports.length}). Until ${length === 1 ? 'it is' : 'they are'} corrected, nothing is sent: Settings > On Error is Stop Workflow.`;
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

/** How many numbers get more than one text: a family can share a phone. */
function countSeveral(planned: Planned[]): number {
	const sent = planned.filter(({ skipped }) => !skipped);
	const ofNumbers = groupBy(sent, ({ to }) => toRecipientKey(to)).values();
	return [...ofNumbers].filter((all) => new Set(all.map(contentOf)).size > 1).length;
}

/** Messages that repeat an earlier one of the run: Skip If Already Sent would skip them. */
function findSame({ channel }: SendRun, planned: Planned[]): Set<Planned> {
	const skipping = planned.filter(({ outgoing }) => outgoing?.isSkipping && channel.hasReference);
	return findRepeats(
		skipping,
		({ outgoing }) =>
			`${toRecipientKey(outgoing!.request.to)} ${comparableReference(outgoing!.request.clientReference)}`,
	);
}

/** A row for each message that could be planned, then for each recipient of the items that are wrong. */
async function toRows(run: SendRun, plan: Plan, runError: unknown): Promise<Row[]> {
	const { context, client, results } = run;
	const found = await lookBack(run, plan.planned);
	const same = findSame(run, plan.planned);
	const repeats = findRepeats(plan.planned, contentOf);
	const check = createChecks(context, plan.given, run.node.isSingle);
	const findReason = (planned: Planned): Reason => {
		const { item, record, skipped, draft, outgoing } = planned;
		if (skipped) return toSkipped(skipped);
		const earlier = record ?? (outgoing && found.get(outgoing));
		if (earlier && !(earlier instanceof Error)) return toSkipped('alreadySent');
		if (same.has(planned)) return toSkipped('alreadySent');
		// Without a draft, what an earlier attempt left in doubt is only looked up.
		const doubt = draft || !outgoing ? undefined : toOutcomeUnknown(outgoing.note, 'notSearched');
		const why = earlier ?? doubt ?? runError;
		return why ? toReason(why, item) : undefined;
	};
	const { pricePerPart } = run.values;
	const costOf = (parts = 0) => pricePerPart > 0 && { cost: toAmount(parts * pricePerPart) };
	const valid = plan.planned.map((planned): Row => {
		const { item, draft } = planned;
		const reason = findReason(planned);
		const isSkipped = reason !== undefined && 'skipped' in reason;
		const isHeldBack = runError !== undefined && draft !== undefined && !isSkipped;
		const isPaid = reason === undefined || isHeldBack;
		const json = {
			...toJson(planned, reason, findName(context, item), client.serviceTimeZone),
			...costOf(isPaid ? draft?.charge.parts : 0),
			warnings: check(planned),
		};
		return { item, json, isHeldBack, isRepeat: repeats.has(planned) };
	});
	const invalid = plan.invalid.flatMap(({ item, error, entry }) => {
		const rejection = toReason(results.explain(item, error), item);
		const name = findName(context, item);
		const recipients = entry === undefined ? listRecipients(plan.given[item]) : [entry];
		const each = recipients.length > 0 ? recipients : [undefined];
		return each.map((to): Row => {
			const row = { ...withoutEmpty({ to, name }), wouldSend: false, ...rejection, dryRun: true };
			return { item, json: { ...row, ...costOf(), warnings: [] }, isWrong: true };
		});
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
	const isMoved = context.getNode().onError === 'continueErrorOutput';
	if (isMoved) for (const { item, error, entry } of plan.invalid) reports[item].fail(error, entry);
	for (const { item, json, isWrong } of rows) if (!isMoved || !isWrong) reports[item].add(json);
	const totals = describeTotals(
		rows,
		values,
		countSeveral(plan.planned),
		describeStop(run, plan, runError),
	);
	const { pricePerPart } = values;
	const cost = await describeCost(rows, pricePerPart, async () => await client.getBalance());
	addHints(context, `${totals} ${cost}`);
	const [output, ...others] = results.finish();
	// Wrong rows first: they need the user.
	const nameOf = (item: unknown, { to }: IDataObject) => `${String(item)} ${String(to)}`;
	const wrong = new Set(
		rows.filter(({ isWrong }) => isWrong).map(({ item, json }) => nameOf(item, json)),
	);
	const isWrong = ({ json, pairedItem }: INodeExecutionData) =>
		wrong.has(nameOf((pairedItem as { item: number }).item, json));
	return [[...output.filter(isWrong), ...output.filter((row) => !isWrong(row))], ...others];
}
