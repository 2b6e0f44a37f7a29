import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../client/failure';
import { describeFailure } from '../client/texts';
import { Delivery } from '../delivery/deliver';
import type { Found } from '../delivery/history';
import { toOutcomeUnknown } from '../delivery/message';
import type { InputError } from '../input/InputError';
import { listRecipients } from '../input/notation';
import { isDomestic } from '../input/number';
import { describeSchedule } from '../input/time';
import { toErrorItem, withoutEmpty } from '../n8n/errors';
import { addHints, findName } from '../n8n/items';
import { createChecks } from './checks';
import { contentOf, type Message, noticeOf } from './message';
import type { Fault, Plan, Run } from './plan';

/** Why a message would not be sent, and the facts that a workflow tells reasons apart by. */
type Reason =
	| { reason: string; skipped: string; duplicateOf?: string }
	| { reason: string; details: IDataObject }
	| undefined;

const skipWords: Record<string, string> = {
	duplicate: 'Skip Duplicates: another item has this number and message',
	optedOut: 'Do Not Send To has this number',
	alreadySent: 'Skip If Already Sent: message history shows this message',
};

const toSkipped = (skipped: string) => ({ reason: skipWords[skipped], skipped });

/** Without its item, so that equal reasons have equal words. */
function toReason(error: unknown, itemIndex: number): Reason {
	const { error: reason, details } = toErrorItem(error, { itemIndex, items: 1 });
	return { reason, details: withoutEmpty({ ...details, description: undefined }) };
}

/** The output for one recipient, or for an item without any, and what the totals count of it. */
export interface Row {
	item: number;
	json: IDataObject;
	/** To be sent, or held back only by a limit of the whole run. */
	parts: number;
	/** An earlier message has the same number and text. */
	isRepeat?: boolean;
	/** It cannot be sent until a person corrects it. */
	isWrong?: boolean;
}

/** Removes floating-point errors. */
function toAmount(value: number): number {
	return Number(value.toFixed(6));
}

/** Those with the key of an earlier one. */
function findRepeats(all: Message[], keyOf: (one: Message) => string): Set<Message> {
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

/** Option Skip If Already Sent. A failed lookup is the reason given for each message with the option. */
async function lookBack({ client, ledger, channel }: Run, messages: Message[]): Promise<Found> {
	const outgoing = messages.flatMap((message) => message.outgoing ?? []);
	const skipping = outgoing.filter(({ isSkipping }) => isSkipping);
	return await new Delivery(client, ledger, channel, outgoing)
		.findEarlier()
		.catch((error: Error): Found => new Map(skipping.map((one) => [one, error])));
}

/** Why each message would not be sent. */
async function findReasons(
	run: Run,
	messages: Message[],
	runError: unknown,
): Promise<(message: Message) => Reason> {
	const found = await lookBack(run, messages);
	const skipping = messages.filter(({ outgoing }) => outgoing?.isSkipping);
	const same = run.channel.hasReference ? findRepeats(skipping, noticeOf) : new Set<Message>();
	return (message) => {
		const { item, record, skipped, draft, outgoing } = message;
		if (skipped) return { ...toSkipped(skipped.skipped), ...skipped };
		const earlier = record ?? (outgoing && found.get(outgoing));
		const isSent = earlier !== undefined && !(earlier instanceof Error);
		if (isSent || same.has(message)) return toSkipped('alreadySent');
		// Without a draft, what an earlier attempt left in doubt is only looked up.
		const doubt = draft || !outgoing ? undefined : toOutcomeUnknown(outgoing.note, 'notSearched');
		const why = earlier ?? doubt ?? runError;
		return why ? toReason(why, item) : undefined;
	};
}

/** What people read comes first. */
function toJson({ to, draft }: Message, reason: Reason, name: unknown, timeZone: string) {
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
		...(charge && { encoding: charge.encoding }),
		from,
		...(clientReference !== undefined && { clientReference }),
		...(at && { scheduledAt: at, ...describeSchedule(at, timeZone) }),
	};
}

/** A row for each message that could be planned, then for each recipient of the items that are wrong. */
async function toRows(run: Run, { items, messages, faults }: Plan, runError: unknown) {
	const { context, client, channel, results, values } = run;
	const { pricePerPart } = values;
	const findReason = await findReasons(run, messages, runError);
	const repeats = findRepeats(messages, contentOf);
	const given = items.map(({ to }) => to);
	const check = createChecks(context, given, channel.hasReference);
	const costOf = (parts: number) => pricePerPart > 0 && { cost: toAmount(parts * pricePerPart) };
	const toRow = (message: Message): Row => {
		const { item, draft } = message;
		const reason = findReason(message);
		const isHeldBack = runError !== undefined && reason !== undefined && !('skipped' in reason);
		const parts = reason === undefined || isHeldBack ? (draft?.charge.parts ?? 0) : 0;
		const name = findName(context, item);
		const json = toJson(message, reason, name, client.serviceTimeZone);
		const row = { ...json, ...costOf(parts), warnings: check(message) };
		return { item, json: row, parts, isRepeat: repeats.has(message) };
	};
	const toWrong = ({ item, error, entry }: Fault): Row[] => {
		const reason = toReason(results.explain(item, error), item);
		const name = findName(context, item);
		const recipients = entry === undefined ? listRecipients(given[item]) : [entry];
		const each = recipients.length > 0 ? recipients : [undefined];
		return each.map((to): Row => {
			const row = { ...withoutEmpty({ to, name }), wouldSend: false, ...reason, dryRun: true };
			return { item, json: { ...row, ...costOf(0), warnings: [] }, parts: 0, isWrong: true };
		});
	};
	return [...messages.map(toRow), ...faults.flatMap(toWrong)];
}

const sumParts = (rows: Row[]) => rows.reduce((sum, { parts }) => sum + parts, 0);

/** Why the whole run would send nothing. */
function describeStop({ results }: Run, { items, faults }: Plan, runError?: InputError): string {
	if (runError) return `Nothing would be sent: ${runError.message}.`;
	const { length } = faults;
	if (!results.isToStop || length === 0) return '';
	const [are, they] = length === 1 ? ['1 item is', 'it is'] : [`${length} items are`, 'they are'];
	return `${are} wrong (of ${items.length}). Until ${they} corrected, nothing is sent: Settings > On Error is Stop Workflow.`;
}

/** Duplicates are counted whatever the options. */
export function describeTotals(
	rows: Row[],
	{ skipDuplicates, doNotSendTo }: Run['values'],
	stop: string,
) {
	const skipped = (reason: string) => rows.filter(({ json }) => json.skipped === reason).length;
	const ready = rows.filter(({ json }) => json.wouldSend === true);
	const heldBack = rows.filter(({ json, parts }) => json.wouldSend !== true && parts > 0);
	const repeats = rows.filter(({ isRepeat }) => isRepeat).length;
	const isOff = repeats > 0 && !skipDuplicates;
	const rejected = rows.filter(
		({ json, parts }) => json.wouldSend === false && parts === 0 && json.skipped === undefined,
	).length;
	return [
		'Dry run: nothing was sent.',
		stop,
		`Recipients: ${rows.length}.`,
		`To send: ${ready.length} (parts: ${sumParts(ready)}).`,
		heldBack.length > 0 && `Held back: ${heldBack.length} (parts: ${sumParts(heldBack)}).`,
		`Rejected: ${rejected}${rejected > 0 ? ', listed first' : ''}.`,
		`Duplicates: ${repeats}${isOff ? ' (they would be sent: Skip Duplicates is off)' : ''}.`,
		doNotSendTo.size > 0
			? `On Do Not Send To: ${skipped('optedOut')}.`
			: 'Opt-outs: not checked, Do Not Send To is empty.',
		`Already sent: ${skipped('alreadySent')}.`,
	]
		.filter(Boolean)
		.join(' ');
}

/** Why the balance could not be compared. */
function toWords(error: unknown): string {
	return error instanceof ServiceError ? describeFailure(error).message : (error as Error).message;
}

/** The cost of the run, compared with the balance. */
export async function describeCost({ client, values: { pricePerPart } }: Run, rows: Row[]) {
	if (pricePerPart === 0) return 'Enter Price per Part to see the cost.';
	const cost = toAmount(sumParts(rows) * pricePerPart);
	const abroad = rows.filter(({ json, parts }) => parts > 0 && !isDomestic(String(json.to))).length;
	const note = abroad > 0 ? ` Prices in other countries differ (recipients: ${abroad}).` : '';
	const leaveOpen = (why: string) =>
		`Cost at ${pricePerPart} per part: ${cost}. The balance could not be compared: ${why}.`;
	const compare = (response: IDataObject) => {
		const balance = Number(response.balance || NaN);
		if (!Number.isFinite(balance)) return leaveOpen('the service returned none');
		const unit = typeof response.currency === 'string' ? ` ${response.currency}` : '';
		const missing = toAmount(cost - balance);
		const enough = missing > 0 ? `is ${missing}${unit} short` : 'is sufficient';
		return `Cost at ${pricePerPart}${unit} per part: ${cost}${unit}. Your balance of ${balance}${unit} ${enough}.`;
	};
	const told = await client
		.getBalance()
		.then(compare, (error: unknown) => leaveOpen(toWords(error)));
	return told + note;
}

/**
 * Option Dry Run: reports what would be sent once the wrong items are corrected. Failures are rows, not errors, so that
 * one invalid row does not hide the others.
 */
export async function rehearse(
	run: Run,
	plan: Plan,
	runError: InputError | undefined,
): Promise<INodeExecutionData[][]> {
	const { context, results, values } = run;
	const rows = await toRows(run, plan, runError);
	const totals = describeTotals(rows, values, describeStop(run, plan, runError));
	addHints(context, `${totals} ${await describeCost(run, rows)}`);
	const isMoved = context.getNode().onError === 'continueErrorOutput';
	if (isMoved) for (const { item, error, entry } of plan.faults) results.fail(item, error, entry);
	const wrong = new Set<IDataObject>();
	for (const { item, json, isWrong } of rows) {
		if (isMoved && isWrong) continue;
		const added = results.add(item, json);
		if (isWrong) wrong.add(added);
	}
	const [output, ...others] = results.finish();
	// Wrong rows first: they need the user.
	const isWrong = ({ json }: INodeExecutionData) => wrong.has(json);
	return [[...output.filter(isWrong), ...output.filter((row) => !isWrong(row))], ...others];
}
