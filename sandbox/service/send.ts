import { readClock, type State } from '../state';
import { acceptOrders, type Source, type Taken } from './accept';
import type { Fields } from './fields';
import { Refusal } from './refusal';
import { readBulkOrders, readSendOrder } from './sendRequest';

/** An accepted send: all its messages are stored and charged. */
export interface Sent {
	taken: Taken[];
}

/** REST send: returns an empty string for an empty reference. */
export async function sendByRest(state: State, body: Fields, source: Source): Promise<Sent> {
	const order = readSendOrder(body, readClock(state), state.settings.strictFlags);
	const clientReference = order.clientReference ?? '';
	return { taken: await acceptOrders(state, [{ ...order, clientReference }], source) };
}

/** Query-parameter send: ignores `encryptKey`, and returns null for an empty reference. */
export async function sendByQuery(state: State, query: Fields, source: Source): Promise<Sent> {
	const fields = { ...query, encryptKey: undefined };
	if (state.settings.strictHttpFlags) refuseFlags(fields);
	const order = readSendOrder(fields, readClock(state), state.settings.strictFlags);
	return { taken: await acceptOrders(state, [order], source) };
}

export async function sendBulk(state: State, body: Fields, source: Source): Promise<Sent> {
	const orders = await readBulkOrders(body);
	const taken = await acceptOrders(state, orders, source);
	if (state.settings.shuffleBulk) shuffle(taken, state.random);
	return { taken };
}

function refuseFlags(fields: Fields): void {
	for (const [name, label] of [
		['test', 'Test'],
		['encrypt', 'Encrypt'],
		['unicode', 'Unicode'],
	] as const) {
		if (name in fields) throw new Refusal(422, `${label} must be a number`);
	}
}

/** In place. */
function shuffle<T>(list: T[], random: () => number): void {
	for (let last = list.length - 1; last > 0; last -= 1) {
		const other = Math.floor(random() * (last + 1));
		[list[last], list[other]] = [list[other]!, list[last]!];
	}
}
