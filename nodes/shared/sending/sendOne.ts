import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord, SendRequest } from '../client/types';
import { Delivery } from '../delivery/deliver';
import { Ledger } from '../delivery/memory';
import type { Channel, Outgoing, Responses } from '../delivery/message';
import { attempt } from '../input/InputError';
import { runPerItem } from '../n8n/items';
import { isTool } from '../n8n/tool';
import { requireOneItem } from '../n8n/waiting';
import { createFieldReader, type ReadField } from '../options/fields';
import type { timeout } from '../options/limits';
import type { Options, ValuesOf } from '../options/option';
import { OptionReader } from '../options/reader';
import {
	type Draft,
	type ItemValues,
	type Message,
	takeUp,
	toComparable,
	toNoteKey,
} from './message';
import { describeUnsent } from './report';

type Timed = { timeout: typeof timeout };

/** What a node that waits has read before its own fields. */
export interface Opened<O extends Options> {
	context: IExecuteFunctions;
	to: unknown;
	readField: ReadField;
	options: OptionReader<O>;
	values: ValuesOf<O>;
	client: MessagingServiceClient;
}

/**
 * Runs a node that sends the message of its one item, and waits.
 * @param work returns the output: at once, or what n8n passes on at the end of the wait
 * @param failedFields further fields of an error item
 */
export async function sendAndWait<O extends Options & Timed>(
	context: IExecuteFunctions,
	ownOptions: O,
	work: (opened: Opened<O>) => Promise<IDataObject>,
	failedFields?: IDataObject,
): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(context, { hasOption: true });
	const options = OptionReader.of(context, ownOptions, readField);
	const results = await runPerItem(context, {
		outcomeOf: () => describeUnsent(context, false),
		failedFields,
		work: async (item, results) => {
			requireOneItem(context);
			const to = readField('to', 0);
			results.isFor(item, to);
			const values = options.read(0);
			const timed: OptionReader<Timed> = options;
			const { timeout } = timed.ofRun();
			const client = await MessagingServiceClient.open(context, { parallelRequests: 1, timeout });
			results.add(item, await work({ context, to, readField, options, values, client }));
		},
	});
	return results.finish();
}

/**
 * Sends the one message of such a node, only once even if the node runs again. Of a draft that cannot be sent any more,
 * it returns or looks up what an earlier attempt has sent.
 * @param replaced fields of the request that differ in every attempt
 * @param isRepeatable whether the same call of a tool by another execution, too, returns the message that was sent
 * @throws Error that says why the message was not sent or may have been sent
 */
export async function sendOne(
	{ context, client, values }: Pick<Opened<Options>, 'context' | 'client'> & { values: ItemValues },
	to: string,
	read: () => Draft,
	replaced: Partial<SendRequest>,
	isRepeatable = false,
): Promise<MessageRecord> {
	client.requireReachable([to]);
	const drafted = attempt(read);
	const draft = 'value' in drafted ? drafted.value : undefined;
	const unsent = 'error' in drafted ? drafted.error : undefined;
	// A tool identifies messages by what it is to send.
	if (!draft && isTool(context)) throw unsent;
	const send = async (ledger: Ledger) => {
		const message: Message = { item: 0, entry: to, to, values, draft };
		const [note] = ledger.notes([toNoteKey(message)]);
		if (draft) message.draft = { ...draft, request: { ...draft.request, ...replaced } };
		takeUp(message, note, true);
		const { record, outgoing } = message;
		if (record) return record;
		if (!outgoing) throw unsent;
		await new Delivery(client, ledger, new SingleChannel(client), [outgoing]).deliver();
		const { outcome } = outgoing;
		if (outcome === undefined || outcome instanceof Error) throw outcome;
		return outcome;
	};
	const waitFor = async (other: Promise<void>) => await client.pool.waitFor(other);
	const isShared = isRepeatable && isTool(context);
	const call = isShared ? client.seal(to, JSON.stringify(draft && toComparable(draft))) : undefined;
	return await Ledger.use(context, send, waitFor, call);
}

/** One message per request, with a reference that identifies it in history. */
export class SingleChannel implements Channel {
	readonly hasReference = true;
	readonly batchSize = 1;
	readonly pauseMs = 0;
	readonly lookBackMs = undefined;

	constructor(private readonly client: MessagingServiceClient) {}

	async send([{ request, surface }]: Outgoing[]): Promise<Responses> {
		return { each: [await this.client.send(request, surface)] };
	}
}
