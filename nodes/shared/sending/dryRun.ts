import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Delivery } from '../delivery/deliver';
import type { Found } from '../delivery/history';
import { toOutcomeUnknown } from '../delivery/message';
import type { InputError } from '../input/InputError';
import { describeSchedule } from '../input/time';
import { namePlaces, reasonOf, toErrorItem, withoutEmpty } from '../n8n/errors';
import { addHints, findName } from '../n8n/items';
import { isTool } from '../n8n/tool';
import { createChecks } from './checks';
import { duplicateKeyOf, type Message, noticeOf } from './message';
import { type Entry, toCause, toFaultEntry } from './entries';
import { readMoney, toAmount } from './money';
import type { Fault, Plan, Run } from './plan';
import { type Result, resultOfFailure } from './report';
import { summarize, withSummary } from './summary';

interface Verdict {
	result: Result;
	error?: unknown;
	earlier?: IDataObject;
}

const skipWords: Partial<Record<Result, string>> = {
	duplicate: 'Skip Duplicates: another item has this number and message',
	optedOut: 'Do Not Send To has this number',
	alreadySent: 'Skip If Already Sent: message history shows this message',
};

/** The facts that a workflow tells reasons apart by. Without its item, so that equal reasons have equal words. */
function toReason(error: unknown, itemIndex: number): IDataObject {
	const { error: reason, details } = toErrorItem(error, { itemIndex, items: 1 });
	const about = { ...details, description: undefined, reason: reasonOf(error) };
	return { reason, details: withoutEmpty(about) };
}

/** The output for one recipient, or for an item without any, and what the totals and the summary count of it. */
export interface Row extends Entry {
	json: IDataObject;
	/** To be sent, or held back only by a limit of the whole run. */
	parts: number;
	/** An earlier message has the same number and text. */
	isRepeat?: boolean;
	isFault?: boolean;
}

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

async function findVerdicts(
	run: Run,
	messages: Message[],
	runError: unknown,
): Promise<(message: Message) => Verdict> {
	const found = await lookBack(run, messages);
	const skipping = messages.filter(({ outgoing }) => outgoing?.isSkipping);
	const same = run.channel.hasReference ? findRepeats(skipping, noticeOf) : new Set<Message>();
	return (message) => {
		const { record, skipped, draft, outgoing } = message;
		if (skipped) return { result: skipped.skipped };
		const earlier = record ?? (outgoing && found.get(outgoing));
		if (earlier && !(earlier instanceof Error))
			return { result: 'alreadySent', earlier: earlier as IDataObject };
		if (same.has(message)) return { result: 'alreadySent' };
		// Without a draft, what an earlier attempt left in doubt is only looked up.
		const doubt = draft || !outgoing ? undefined : toOutcomeUnknown(outgoing.note, 'notSearched');
		const error = earlier ?? doubt ?? runError;
		return error ? { result: resultOfFailure(error), error } : { result: 'toSend' };
	};
}

/** What people read comes first. */
function toJson(
	{ item, to, draft, skipped }: Message,
	{ result, error }: Verdict,
	about: IDataObject,
	timeZone: string,
): IDataObject {
	const { request, charge } = draft ?? {};
	const { from, message, encrypt, clientReference, scheduledAt: at } = request ?? {};
	const reason = skipWords[result];
	return {
		to,
		...about,
		...(!encrypt && { message }),
		...(charge && { parts: charge.parts }),
		wouldSend: result === 'toSend',
		...(reason !== undefined && { reason, skipped: result, ...skipped }),
		...(error !== undefined && toReason(error, item)),
		dryRun: true,
		...(charge && { encoding: charge.encoding }),
		from,
		...(clientReference !== undefined && { clientReference }),
		...(at && { scheduledAt: at, ...describeSchedule(at, timeZone) }),
	};
}

/** A row for each message that could be planned and each recipient of the items that are wrong, in the order of the items. */
async function toRows(run: Run, { messages, faults }: Plan, runError: unknown): Promise<Row[]> {
	const { context, client, channel, results, values } = run;
	const { pricePerPart } = values;
	const findVerdict = await findVerdicts(run, messages, runError);
	const repeats = findRepeats(messages, duplicateKeyOf);
	const check = createChecks(context, channel.hasReference);
	const costOf = (parts: number) => pricePerPart > 0 && { cost: toAmount(parts * pricePerPart) };
	const describe = (item: number, result: Result) =>
		withoutEmpty({ name: findName(context, item), result: isTool(context) ? undefined : result });
	const toRow = (message: Message): Row => {
		const { item, to, draft } = message;
		const verdict = findVerdict(message);
		const { result, error, earlier } = verdict;
		const isHeldBack = error !== undefined && error === runError;
		const parts = result === 'toSend' || isHeldBack ? (draft?.charge.parts ?? 0) : 0;
		const json = toJson(message, verdict, describe(item, result), client.serviceTimeZone);
		const warnings = check(message);
		return {
			...{ item, to, result, request: draft?.request, parts, isRepeat: repeats.has(message) },
			json: { ...json, ...costOf(parts), warnings },
			cause: toCause(error, earlier),
			looks: warnings,
		};
	};
	const toWrong = ({ item, error: given, recipients }: Fault): Row[] => {
		const error = results.explain(item, given);
		return recipients.map((to): Row => {
			const about = { ...withoutEmpty({ to }), ...describe(item, 'notSent') };
			const row = { ...about, wouldSend: false, ...toReason(error, item), dryRun: true };
			const json = { ...row, ...costOf(0), warnings: [] };
			return { item, to, result: 'notSent', json, parts: 0, isFault: true, ...toFaultEntry(error) };
		});
	};
	const rows = [...faults.flatMap(toWrong), ...messages.map(toRow)];
	return rows.sort((a, b) => a.item - b.item);
}

const sumParts = (rows: Row[]) => rows.reduce((sum, { parts }) => sum + parts, 0);

function describeStop({ context, results }: Run, { faults }: Plan, runError?: InputError): string {
	if (runError) return `Nothing would be sent: ${runError.message}.`;
	const { length } = faults;
	if (!results.isToStop || length === 0) return '';
	const [are, they] = length === 1 ? ['1 item is', 'it is'] : [`${length} items are`, 'they are'];
	return `${are} wrong (of ${context.getInputData().length}). Until ${they} corrected, nothing is sent: Settings > On Error is Stop Workflow.`;
}

const mostNamed = 10;

/** Duplicates are counted whatever the options. */
export function describeTotals(
	{ context, values: { skipDuplicates, doNotSendTo } }: Pick<Run, 'context' | 'values'>,
	rows: Row[],
	stop: string,
) {
	const only = (...results: Result[]) => rows.filter(({ result }) => results.includes(result));
	const ready = only('toSend');
	const failed = only('notSent', 'outcomeUnknown');
	const heldBack = failed.filter(({ parts }) => parts > 0);
	const wrong = failed.filter(({ parts }) => parts === 0).map(({ item }) => item);
	const named = wrong.length > 0 ? `: ${namePlaces(context, wrong, mostNamed)}` : '';
	const repeats = rows.filter(({ isRepeat }) => isRepeat).length;
	const isOff = repeats > 0 && !skipDuplicates;
	return [
		'Dry run: nothing was sent.',
		stop,
		`Recipients: ${rows.length}.`,
		`To send: ${ready.length} (parts: ${sumParts(ready)}).`,
		heldBack.length > 0 && `Held back: ${heldBack.length} (parts: ${sumParts(heldBack)}).`,
		`${wrong.length} wrong${named}.`,
		`Duplicates: ${repeats}${isOff ? ' (they would be sent: Skip Duplicates is off)' : ''}.`,
		doNotSendTo.size > 0
			? `On Do Not Send To: ${only('optedOut').length}.`
			: 'Opt-outs: not checked, Do Not Send To is empty.',
		`Already sent: ${only('alreadySent').length}.`,
	]
		.filter(Boolean)
		.join(' ');
}

export async function describeCost({ client, values: { pricePerPart } }: Run, rows: Row[]) {
	if (pricePerPart === 0) return 'Enter Price per Part to see the cost.';
	const money = await readMoney(client, rows, pricePerPart);
	const { cost, balance, short, abroad, why } = money;
	const note = abroad > 0 ? ` Prices in other countries differ (recipients: ${abroad}).` : '';
	const unit = money.currency && ` ${money.currency}`;
	if (balance === undefined)
		return `Cost at ${pricePerPart} per part: ${cost}. The balance could not be compared: ${why}.${note}`;
	const enough = short > 0 ? `is ${short}${unit} short` : 'is sufficient';
	return `Cost at ${pricePerPart}${unit} per part: ${cost}${unit}. Your balance of ${balance}${unit} ${enough}.${note}`;
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
	const stop = describeStop(run, plan, runError);
	const isMoved = context.getNode().onError === 'continueErrorOutput';
	if (isMoved) for (const { item, error, entry } of plan.faults) results.fail(item, error, entry);
	for (const { item, json, isFault } of rows) if (!isMoved || !isFault) results.add(item, json);
	const output = results.finish();
	if (values.output === 'summary' && !isTool(context))
		return withSummary(context, output, await summarize(run, rows, true, stop));
	addHints(context, `${describeTotals(run, rows, stop)} ${await describeCost(run, rows)}`);
	return output;
}
