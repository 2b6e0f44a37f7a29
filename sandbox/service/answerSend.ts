import type { MessageRecord } from '../entities';
import type { State } from '../state';
import { mapInSteps } from '../steps';
import type { Taken } from './accept';
import { moveMessage } from './delivery';
import { toRecord } from './messages';
import type { Sent } from './send';
import { findBehaviour } from './specialNumbers';

/** A recipient that is rejected inside a 2xx (field notes 3 and 15). */
interface RefusedRecord {
	to?: string;
	from?: string;
	status: false;
	message: string;
}

type AnsweredRecord = RefusedRecord | (MessageRecord & { encryptKey?: string });

export interface SendAnswer {
	messages: AnsweredRecord[];
}

/** Builds the response to a send, after all steps of messages with `isEarly`. */
export async function answerSend(state: State, { taken }: Sent): Promise<SendAnswer> {
	await state.store.committed();
	const early = taken.flatMap(({ message }) =>
		message && findBehaviour(state.settings, message.to).isEarly ? message : [],
	);
	await Promise.all(early.map((message) => moveMessage(state, { ...message }, Infinity)));
	const { bareRefusals } = state.settings;
	return { messages: await mapInSteps(taken, (one) => toAnswer(one, bareRefusals)) };
}

/** The number of recipients rejected inside a success, and the first reason; undefined if there are none. */
export function findReason({ taken }: Sent): string | undefined {
	const first = taken.find(({ refusal }) => refusal !== undefined);
	if (!first) return undefined;
	const count = taken.reduce((sum, { refusal }) => sum + Number(refusal !== undefined), 0);
	return `Rejected inside a 2xx (${count} of ${taken.length}): ${first.refusal}`;
}

/** The status in a send response is always Accepted, even if it has changed since. */
function toAnswer(
	{ order, message, refusal = 'Refused', encryptKey }: Taken,
	isBare: boolean,
): AnsweredRecord {
	const { to, from } = order;
	if (!message) return { ...(!isBare && { to, from }), status: false, message: refusal };
	return { ...toRecord(message), status: 'Accepted', ...(encryptKey && { encryptKey }) };
}
