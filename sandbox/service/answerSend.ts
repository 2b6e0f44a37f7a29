import type { MessageRecord } from '../entities';
import type { State } from '../state';
import { doInTurns, type Work } from '../turns';
import type { Taken } from './accept';
import { moveMessage } from './delivery';
import { toRecord } from './messages';
import type { Sent } from './send';
import { findBehaviour } from './specialNumbers';

/** A recipient that is refused inside a 2xx (field notes 3 and 15). */
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

/** What is answered to a send, when those are moved that are done before. */
export async function answerSend(state: State, { taken }: Sent): Promise<SendAnswer> {
	const moves = await doInTurns(moveEarly(state, taken));
	await Promise.all(moves);
	return { messages: await doInTurns(listRecords(state, taken)) };
}

/** Says which recipients are refused inside a success. */
export function findReason({ taken }: Sent): string | undefined {
	const first = taken.find(({ refusal }) => refusal !== undefined);
	if (!first) return undefined;
	const count = taken.reduce((sum, { refusal }) => sum + Number(refusal !== undefined), 0);
	return `Refused inside a success (${count} of ${taken.length}): ${first.refusal}`;
}

/** Takes all steps of the messages whose receipts come before the send is answered. */
function* moveEarly(state: State, taken: Taken[]): Work<Array<Promise<void>>> {
	const moves: Array<Promise<void>> = [];
	for (const { message } of taken) {
		yield;
		if (!message || !findBehaviour(message.to).isEarly) continue;
		moves.push(new Promise((resolve) => moveMessage(state, message, Infinity, resolve)));
	}
	return moves;
}

function* listRecords({ settings }: State, taken: Taken[]): Work<AnsweredRecord[]> {
	const records: AnsweredRecord[] = [];
	for (const one of taken) {
		records.push(toAnswer(one, settings.bareRefusals));
		yield;
	}
	return records;
}

/** Accepted is the status in every send response, whatever has become of the message since. */
function toAnswer(
	{ order, message, refusal = 'Refused', encryptKey }: Taken,
	isBare: boolean,
): AnsweredRecord {
	const { to, from } = order;
	if (!message) return { ...(!isBare && { to, from }), status: false, message: refusal };
	return { ...toRecord(message), status: 'Accepted', ...(encryptKey && { encryptKey }) };
}
