import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { Channel, Outgoing, Responses } from '../delivery/Outgoing';

/** One message per request, with a reference that identifies it in history. */
export class SingleChannel implements Channel {
	readonly hasReference = true;
	readonly batchSize = 1;
	readonly pauseMs = 0;
	readonly lookBackMs = undefined;

	constructor(private readonly client: MessagingServiceClient) {}

	async send([{ request, surface }]: Outgoing[]): Promise<Responses> {
		return { each: [await this.client.send(request, surface)], isAccepted: true };
	}
}
