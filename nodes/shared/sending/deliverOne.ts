import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord, SendRequest } from '../client/types';
import { Delivery } from '../delivery/deliver';
import { Ledger } from '../delivery/memory';
import type { Channel, Outgoing, Responses } from '../delivery/message';
import { isTool } from '../n8n/tool';
import type { Draft } from './draft';
import { fillIn, type Planned, toComparable, toWanted } from './planned';

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

/**
 * Sends the one message of a node that then waits, only once even if the node runs again. Of a draft that cannot be
 * sent any more, it returns or looks up what an earlier attempt has sent.
 * @param replaced fields of the request that differ in every attempt
 * @param isRepeatable whether the same call of a tool by another execution, too, returns the message that was sent
 * @throws Error that says why the message was not sent or may have been sent
 */
export async function deliverOne(
	context: IExecuteFunctions,
	client: MessagingServiceClient,
	{
		to,
		draft: { value: draft, error },
		values,
	}: { to: string; draft: { value?: Draft; error?: unknown }; values: Planned['values'] },
	replaced: Partial<SendRequest>,
	isRepeatable = false,
): Promise<MessageRecord> {
	client.requireReachable([to]);
	// A tool identifies messages by what it is to send.
	if (!draft && isTool(context)) throw error;
	const deliver = async (ledger: Ledger) => {
		const one: Planned = { item: 0, to, values, draft };
		const [noted] = ledger.notes([toWanted(one)]);
		if (draft) one.draft = { ...draft, request: { ...draft.request, ...replaced } };
		fillIn(one, noted, true);
		const { record, outgoing } = one;
		if (record) return record;
		if (!outgoing) throw error;
		await new Delivery(client, ledger, new SingleChannel(client), [outgoing]).deliver();
		const { outcome } = outgoing;
		if (outcome === undefined || outcome instanceof Error) throw outcome;
		return outcome;
	};
	const waitFor = async (other: Promise<void>) => await client.pool.waitFor(other);
	const isShared = isRepeatable && isTool(context);
	const call = isShared ? client.seal(to, JSON.stringify(draft && toComparable(draft))) : undefined;
	return await Ledger.use(context, deliver, waitFor, call);
}
