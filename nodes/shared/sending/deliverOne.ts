import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord, SendRequest } from '../client/types';
import { Delivery } from '../delivery/Delivery';
import { Ledger } from '../delivery/ledger';
import { SingleChannel } from './SingleChannel';
import type { Draft } from './readDraft';
import { toOutgoing, type ItemValues } from './readPlan';

/**
 * Sends the one message of a node that then waits, only once even if the node runs again.
 * @param replaced fields of the request that differ in every attempt
 * @throws Error that says why the message was not sent or may have been sent
 */
export async function deliverOne(
	context: IExecuteFunctions,
	client: MessagingServiceClient,
	{
		to,
		draft,
		values,
	}: { to: string; draft: Draft; values: Pick<ItemValues, 'test' | 'whenOutcomeUnknown'> },
	replaced: Partial<SendRequest>,
): Promise<MessageRecord> {
	client.requireReachable([to]);
	const deliver = async (ledger: Ledger) => {
		const { test: isTest = false, whenOutcomeUnknown } = values;
		const { request } = draft;
		const [entry] = ledger.entries([{ to, isTest, text: request.message, content: request }]);
		if (entry.record) return entry.record;
		const sent = { ...draft, request: { ...draft.request, ...replaced } };
		const message = toOutgoing(
			sent,
			to,
			entry,
			{ skipIfAlreadySent: false, whenOutcomeUnknown },
			true,
		);
		await new Delivery(client, ledger, new SingleChannel(client)).deliver([message]);
		const { outcome } = message;
		if (outcome === undefined || outcome instanceof Error) throw outcome;
		return outcome;
	};
	return await Ledger.use(context, deliver, async (other) => await client.pool.waitFor(other));
}
