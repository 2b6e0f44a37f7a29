import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isPassing } from '../client/failure';
import { MessagingServiceClient } from '../client/MessagingServiceClient';
import { Delivery } from '../delivery/deliver';
import { Ledger } from '../delivery/memory';
import type { Channel } from '../delivery/message';
import { withoutEmpty } from '../n8n/errors';
import { addHints, findName, finishRun, isStoppedByFailure, ItemResults } from '../n8n/items';
import { isTool, requireOwnArguments, tellInShort } from '../n8n/tool';
import { createFieldReader } from '../options/fields';
import type { Options, RunValuesOf } from '../options/option';
import { OptionReader } from '../options/reader';
import { shapeRecord } from '../options/simplify';
import { rehearse } from './dryRun';
import { combineFaults } from './faults';
import {
	hasOtherSchedule,
	hasOtherText,
	isNew,
	type Limits,
	type Message,
	neverAgain,
	outcomeOf,
} from './message';
import { findRunError, readPlan, requireWholeList, type Run } from './plan';
import {
	describeAdopted,
	describeRun,
	describeStopped,
	describeUnsent,
	resultOf,
	resultOfFailure,
} from './report';
import { summarizeFailure, summarizeRun, withSummary } from './summary';

/**
 * Sends the messages of all items, each once: reads and validates all items, applies the options, delivers the
 * messages and reports each in item order. A dry run does the same up to delivery.
 */
export async function sendItems<O extends Options & Limits>(
	context: IExecuteFunctions,
	ownOptions: O,
	openChannel: (client: MessagingServiceClient, values: RunValuesOf<O>) => Channel,
): Promise<INodeExecutionData[][]> {
	const unsent = describeUnsent(context, !isStoppedByFailure(context));
	const results = new ItemResults(context, {
		outcomeOf: () => unsent,
		resultOf: resultOfFailure,
	});
	let isPlanned = false;
	const output = await results.orFail(async () => {
		requireOwnArguments(context);
		requireWholeList(context);
		const readField = createFieldReader(context, { hasOption: true });
		const reader = OptionReader.of(context, ownOptions, readField);
		const options: OptionReader<Limits> = reader;
		const values = options.ofRun();
		const client = await MessagingServiceClient.open(context, values);
		const channel = openChannel(client, reader.ofRun());
		const opened = { context, readField, options, client, channel, results, values };
		const output = await Ledger.use(
			context,
			async (ledger) => await sendPlan({ ...opened, ledger }),
			async (other) => await client.pool.waitFor(other),
		);
		isPlanned = true;
		return isTool(context) ? [tellInShort(output[0])] : output;
	});
	const isSummary = context.getNode().parameters.output === 'summary' && !isTool(context);
	if (!isSummary || isPlanned) return output;
	// A list of opt-outs that cannot be read, for example.
	const said = describeUnsent(context, false);
	return withSummary(context, output, await summarizeFailure(context, results.failures, said));
}

async function sendPlan(run: Run): Promise<INodeExecutionData[][]> {
	const { context, ledger, results, values } = run;
	const plan = await readPlan(run);
	const runError = findRunError(run, plan);
	if (values.dryRun) return await rehearse(run, plan, runError);
	const faults = plan.faults.map((fault) => ({
		...fault,
		error: results.explain(fault.item, fault.error),
	}));
	const isStopped = results.isToStop && faults.length > 0;
	const isHeldBack = isStopped || runError !== undefined;
	const heldBack = isHeldBack ? plan.messages.filter(isNew) : [];
	// What earlier attempts have sent is returned, or looked up, although nothing else may be sent.
	const begun = plan.messages.filter((one) => !isNew(one)).map(neverAgain);
	const messages = isHeldBack ? begun : plan.messages;
	if (!isStopped) for (const { item, error, entry } of faults) results.fail(item, error, entry);
	await deliver(run, messages);
	for (const message of messages) addOutcome(run, message);
	if (isStopped) results.fail(faults[0].item, combineFaults(context, faults, runError));
	else for (const item of new Set(heldBack.map((one) => one.item))) results.fail(item, runError);
	const all = { ...plan, messages: [...messages, ...heldBack] };
	addHints(context, describeRun(all));
	const toAfterword = (said: string) => describeStopped(all, said);
	const output = await finishRun(results, async () => ledger, toAfterword);
	if (values.output !== 'summary' || isTool(context)) return output;
	return withSummary(context, output, await summarizeRun(run, all, runError));
}

async function deliver({ context, client, ledger, channel, results }: Run, messages: Message[]) {
	const outgoing = messages.flatMap((message) => message.outgoing ?? []);
	const delivery = new Delivery(client, ledger, channel, outgoing, ({ outcome }) => {
		if (results.isToStop && outcome instanceof Error && !isPassing(outcome)) delivery.stop();
	});
	await delivery.deliver();
	addHints(context, describeAdopted(delivery.adopted));
}

function addOutcome({ context, results }: Run, message: Message): void {
	const { item, to, skipped } = message;
	const outcome = outcomeOf(message);
	// A model reads few words.
	const about = isTool(context)
		? {}
		: withoutEmpty({ name: findName(context, item), result: resultOf(message) });
	if (skipped) results.add(item, { to, ...about, ...skipped });
	else if (outcome instanceof Error) results.fail(item, outcome);
	else if (outcome) {
		const record = {
			...outcome,
			...about,
			...(hasOtherText(message) && { textDiffers: true }),
			...(hasOtherSchedule(message) && { scheduleDiffers: true }),
		};
		results.add(item, shapeRecord(record as IDataObject, message.simplify));
	}
}
