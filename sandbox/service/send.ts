import { readClock, type State } from '../state';
import { acceptOrders, type Source, type Taken } from './accept';
import { moveMessage } from './delivery';
import { type Fields, toLabel } from './fields';
import { toRecord } from './messages';
import { refuseField } from './refusal';
import { readBulkOrders, readSendOrder } from './sendRequest';
import { findBehaviour } from './specialNumbers';

export async function sendByRest(state: State, body: Fields, source: Source): Promise<Taken[]> {
	const order = readSendOrder(body, readClock(state), state.settings.strictFlags);
	return await acceptOrders(state, [order], source);
}

/** Query-parameter send: ignores `encryptKey`, and returns null for an empty reference. */
export async function sendByQuery(state: State, query: Fields, source: Source): Promise<Taken[]> {
	const fields = { ...query, encryptKey: undefined };
	if (state.settings.strictHttpFlags) refuseFlags(fields);
	const order = readSendOrder(fields, readClock(state), state.settings.strictFlags);
	return await acceptOrders(state, [order], source);
}

export async function sendBulk(state: State, body: Fields, source: Source): Promise<Taken[]> {
	const orders = readBulkOrders(body, state.settings.deviate.includes('bulk-reference'));
	const taken = await acceptOrders(state, orders, source);
	if (state.settings.shuffleBulk) shuffle(taken, state.random);
	return taken;
}

function refuseFlags(fields: Fields): void {
	const flag = ['test', 'encrypt', 'unicode'].find((name) => name in fields);
	if (flag !== undefined) throw refuseField(`${toLabel(flag)} must be a number`);
}

/** In place. */
function shuffle<T>(list: T[], random: () => number): void {
	for (let last = list.length - 1; last > 0; last -= 1) {
		const other = Math.floor(random() * (last + 1));
		[list[last], list[other]] = [list[other]!, list[last]!];
	}
}

/** Builds the response to a send, after all steps of messages with `isEarly`. */
export async function answerSend(state: State, taken: Taken[]): Promise<object> {
	const early = taken.flatMap(({ message }) =>
		message && findBehaviour(state.settings, message.to).isEarly ? message : [],
	);
	await Promise.all(early.map((message) => moveMessage(state, message, Infinity)));
	return { messages: taken.map(toAnswer) };
}

/** The number of recipients rejected inside a success, and the first reason; undefined if there are none. */
export function findReason(taken: Taken[]): string | undefined {
	const first = taken.find(({ refusal }) => refusal !== undefined);
	if (!first) return undefined;
	const count = taken.reduce((sum, { refusal }) => sum + Number(refusal !== undefined), 0);
	return `Rejected inside a 2xx (${count} of ${taken.length}): ${first.refusal}`;
}

/**
 * A message record, or that of a recipient that is rejected inside a 2xx (field notes 3 and 15). The status in a send
 * response is always Accepted, even if it has changed since.
 */
function toAnswer({ order, message, refusal, encryptKey }: Taken): object {
	const { to, from } = order;
	if (!message) return { to, from, status: false, message: refusal };
	const { clientReference: reference, sentBy } = message;
	return {
		...toRecord(message),
		clientReference: sentBy === '/http/send' ? reference || null : reference,
		...{ status: 'Accepted', ...(encryptKey && { encryptKey }) },
	};
}
