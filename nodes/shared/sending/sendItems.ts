import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MessagingServiceClient } from '../client/MessagingServiceClient';
import { isPassing, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { Delivery } from '../delivery/deliver';
import { Ledger } from '../delivery/memory';
import { isCalledOverMcp, isTool, requireOwnArguments, tellInShort } from '../n8n/tool';
import { addHints, finishRun, isStoppedByFailure, ItemResults, openReport } from '../n8n/items';
import { takeDefault } from '../options/readParameters';
import { combineErrors } from './combineErrors';
import { rehearse } from './dryRun';
import { describeOutcome, describeStopped, describeUnsent } from './report';
import { requireWholeList } from './recipients';
import { findRunError, readPlan, type Plan, type SendingNode, type SendRun } from './plan';
import { hasOtherText, isNew, neverAgain, type Planned } from './planned';

/**
 * Sends the messages of all items, each once: reads and validates all items, applies the options, delivers the
 * messages and reports each in item order. A dry run does the same up to delivery.
 */
export async function sendItems(
	context: IExecuteFunctions,
	node: SendingNode,
): Promise<INodeExecutionData[][]> {
	const unsent = describeUnsent(context, !isStoppedByFailure(context));
	const results = new ItemResults(context, 1, () => unsent);
	return await results.orFail(async () => {
		requireOwnArguments(context);
		requireWholeList(context);
		const values = node.options.ofRun();
		const client = await MessagingServiceClient.open(context, values);
		const work = async (ledger: Ledger) =>
			await sendAll({ context, node, values, client, results, ledger });
		const waitFor = async (other: Promise<void>) => await client.pool.waitFor(other);
		const output = await Ledger.use(context, work, waitFor);
		return isTool(context) ? [tellInShort(output[0])] : output;
	});
}

async function sendAll(
	opened: Pick<SendRun, 'context' | 'node' | 'values' | 'client' | 'results' | 'ledger'>,
): Promise<INodeExecutionData[][]> {
	const { context, node, client, results, ledger } = opened;
	const senderId = takeDefault(context, 'from', client.defaults);
	const { serviceTimeZone } = client;
	const surroundings = { serviceTimeZone, senderId, isTool: isTool(context) };
	const { isToStop } = results;
	const plan = await readPlan({ context, client, node, surroundings, isToStop }, ledger);
	const reports = plan.given.map((to, item) => {
		const report = openReport(context, results, item, surroundings.isTool);
		report.isFor(to);
		return report;
	});
	const channel = node.openChannel(client);
	return await carryOut({ ...opened, surroundings, isToStop, reports, channel }, plan);
}

async function carryOut(run: SendRun, plan: Plan): Promise<INodeExecutionData[][]> {
	const { context, values, results, reports, ledger } = run;
	// Over MCP, each call is an execution of its own.
	const isCounting = isTool(context) && !isCalledOverMcp(context);
	const runError = findRunError(plan, values, isCounting ? ledger.sent : 0);
	if (values.dryRun) return await rehearse(run, plan, runError);
	const invalid = plan.invalid.map((fault) => ({
		...fault,
		error: results.explain(fault.item, fault.error),
	}));
	const isStopped = results.isToStop && invalid.length > 0;
	if (!isStopped) for (const { item, error, entry } of invalid) reports[item].fail(error, entry);
	const isHeldBack = isStopped || runError !== undefined;
	const heldBack = isHeldBack ? plan.planned.filter(isNew) : [];
	const ready = isHeldBack ? withoutNew(plan) : plan;
	await deliver(run, ready);
	if (isStopped) reports[invalid[0].item].fail(combineErrors(invalid, context, runError));
	else for (const item of new Set(heldBack.map((one) => one.item))) reports[item].fail(runError);
	const all = { ...plan, planned: [...ready.planned, ...heldBack] };
	addHints(context, describeOutcome(all));
	const toAfterword = (said: string) =>
		[describeStopped(all, said), describeOthers(ready)].filter(Boolean).join(' ');
	return await finishRun(results, async () => ledger, toAfterword);
}

/** What earlier attempts have sent is returned, or looked up, although nothing else may be sent. */
function withoutNew(plan: Plan): Plan {
	return { ...plan, planned: plan.planned.filter((one) => !isNew(one)).map(neverAgain) };
}

async function deliver(run: SendRun, plan: Plan): Promise<void> {
	const { context, client, ledger, channel, results } = run;
	const messages = plan.planned.flatMap(({ outgoing }) => outgoing ?? []);
	const delivery = new Delivery(client, ledger, channel, messages, ({ outcome }) => {
		if (results.isToStop && outcome instanceof Error && !isPassing(outcome)) delivery.stop();
	});
	await delivery.deliver();
	for (const planned of plan.planned) report(run, plan, planned);
	addHints(context, describeAdopted(delivery.adopted));
}

function report({ reports }: SendRun, { shapes }: Plan, planned: Planned): void {
	const { item, to, skipped } = planned;
	const textDiffers = hasOtherText(planned);
	const outcome = planned.record ?? planned.outgoing?.outcome;
	const shape = shapes[item] ?? ((json: IDataObject) => json);
	if (skipped) reports[item].add({ to, skipped });
	else if (outcome instanceof Error) reports[item].fail(outcome);
	else if (outcome) {
		const record = { ...outcome, ...(textDiffers && { textDiffers }) } as IDataObject;
		reports[item].add(shape(record));
	}
}

/** Added to the error where a message that the service rejected keeps others from being sent. */
function describeOthers({ planned }: Plan): string {
	const isRejected = planned.some(
		({ outgoing }) => outgoing?.outcome instanceof ServiceError && outgoing.outcome.isOfMessages,
	);
	return isRejected && planned.length > 1
		? 'To send the others anyway, set Settings > On Error to Continue.'
		: '';
}

/** A hint if a retry found messages in history that it did not send itself. */
function describeAdopted(records: MessageRecord[]): string {
	if (records.length === 0) return '';
	const times = records.map(({ createdAt }) => String(createdAt)).sort();
	const span = [...new Set([times[0], times.at(-1)])].join(' to ');
	const messages = records.length === 1 ? '1 message was' : `${records.length} messages were`;
	return `${messages} not sent by this retry: message history already shows the same number, text and sender ID (${span}, in the service's time zone). If another execution sent those messages, start a new execution to send yours.`;
}
