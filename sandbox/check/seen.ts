import type { Exchange } from './Account';

export type Fields = Record<string, unknown>;

/** Different from what is assumed, or not, and what was seen; undefined: could not tell. */
export type Finding = { isSame: boolean; seen: string } | undefined;

/** What a check saw, by the names of its calls. */
export class Seen {
	constructor(readonly exchanges: Exchange[]) {}

	one(name: string): Exchange | undefined {
		return this.exchanges.find((exchange) => exchange.name === name && exchange.status > 0);
	}

	all(start: string): Exchange[] {
		return this.exchanges.filter(({ name }) => name.startsWith(start));
	}

	/** The receipts of our messages. */
	receipts(): Array<{ method: string; fields: Fields; at: number; signed: boolean }> {
		return this.all('receipt').map(({ at, request: { method, query = {}, body } }) => {
			const { signed, fields } = body as { signed: boolean; fields: unknown };
			return { at, method, signed, fields: { ...query, ...(isFields(fields) && fields) } };
		});
	}

	/** The records of a response. */
	records(name: string): Fields[] {
		const body = this.one(name)?.body;
		return isFields(body) && Array.isArray(body.messages) ? body.messages.filter(isFields) : [];
	}

	/** The records of our messages in all lookups of history, the latest state of each last. */
	listed(words: string): Fields[] {
		return this.exchanges
			.filter(({ request }) => request.path === '/rest/messages')
			.flatMap(({ body }) => (isFields(body) && Array.isArray(body.messages) ? body.messages : []))
			.filter(isFields)
			.filter(({ message }) => String(message).includes(words));
	}
}

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const bodyOf = (exchange?: Exchange): Fields =>
	isFields(exchange?.body) ? exchange.body : {};

/** Without the names that a response lacks. */
export function say(isSame: boolean, ...seen: unknown[]): Finding {
	const texts = seen.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
	return { isSame, seen: texts.join(' ').slice(0, 300) };
}

/** A finding about a response, if there is one. */
export function about(exchange: Exchange | undefined, judge: (one: Exchange) => Finding): Finding {
	return exchange && judge(exchange);
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** Accepted: a success with a record that is not rejected. */
export function isAccepted(exchange: Exchange): boolean {
	const [first] = new Seen([exchange]).records(exchange.name);
	return isSuccess(exchange) && first?.messageId !== undefined && first.status !== false;
}

export function describe({ status, body }: Exchange): string {
	const words = isFields(body) ? (body.message ?? body.messages ?? body) : body;
	return `${status} ${JSON.stringify(words) ?? ''}`.slice(0, 200);
}

/** Minutes that a written time is ahead of a moment, read in GMT+6:30. */
export function minutesAhead(written: unknown, at: number): number | undefined {
	const ms = Date.parse(`${String(written).replace(' ', 'T')}+06:30`);
	return Number.isNaN(ms) ? undefined : (ms - at) / 60_000;
}
