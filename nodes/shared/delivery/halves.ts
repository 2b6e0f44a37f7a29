import type { ServiceError } from '../client/ServiceError';
import { isUndecided, toBatches, type Outgoing } from './Outgoing';
import { deliveryTiming } from './timing';

export function halve(messages: Outgoing[]): Outgoing[][] {
	return toBatches(messages, Math.max(1, Math.ceil(messages.length / 2)));
}

/** Messages not sent, because the service rejected too many requests in a row. */
export interface GivenUp {
	messages: Outgoing[];
	failure: ServiceError;
}

/**
 * Sends the parts of a rejected request, largest first, and halves those that are rejected. One invalid message in a
 * hundred takes at most 14 requests.
 * @param send returns the rejection of a part, which also decides a part of one message
 */
export async function sendInParts(
	parts: Outgoing[][],
	rejection: ServiceError,
	send: (part: Outgoing[]) => Promise<ServiceError | undefined>,
): Promise<GivenUp | undefined> {
	let rejections = 1;
	let failure = rejection;
	for (let part = parts.shift(); part; part = parts.shift()) {
		if (rejections >= deliveryTiming.mostRejections) {
			const messages = [...part, ...parts.flat()];
			return { messages, failure: failure.with({ code: 'rejectedInARow', requests: rejections }) };
		}
		const rejected = await send(part);
		if (rejected) parts.push(...halve(part.filter(isUndecided)));
		rejections = rejected ? rejections + 1 : 0;
		failure = rejected ?? failure;
	}
	return undefined;
}
