import type { Received } from './receive';
import {
	describe,
	fieldsOf,
	findEnvelope,
	type Fields,
	isSuccess,
	isTaken,
	recordsOf,
	type Reply,
	showNumber,
	tellsNothing,
} from './reply';
import { flagForms, type Service } from './Service';

/** What a step works with. */
export interface Tools {
	service: Service;
	/** The first response: the balance. */
	first: Reply;
	/** All calls of our receiver so far. */
	received: Received[];
	/** Ends early when the check is interrupted. */
	pause: (ms: number) => Promise<void>;
	ask: (question: string) => Promise<string>;
	/**
	 * Records what was seen of a row; undefined: nothing. The first difference stays.
	 *
	 * @param as the deviation of the sandbox that does the same, if that is not the ID; null for none
	 */
	find: (id: string, isSame: boolean | undefined, seen: string, as?: string | null) => void;
	/** The same for a response, unless it says nothing (401, 404, 405, 429, 5xx). @param seen default: status and words */
	judge: (
		id: string,
		reply: Reply,
		isSame: boolean | undefined,
		seen?: string,
		as?: string | null,
	) => void;
	/** Keeps what to fill into a field of the credential. */
	fillIn: (field: string, value: string) => void;
}

export const second = 1000;
/** History may be as late as this: after it, the nodes take a message for not accepted. */
const longestLookMs = 180 * second;
export const longText = 'real: two  spaces, "quotes" & \u00e9 \u20ac\r\nand a blank at the end ';
export const balancePath = '/rest/account/get-balance';

/** Fields of a message to the own number. */
export const message = ({ given, tag }: Service, words: string) => ({
	...{ to: given.number, message: `${tag} ${words}`, from: given.sender },
});
export const inDigits = ({ given }: Service) =>
	given.number.replace(/^09/, '959').replace(/^\+/, '');
export const idOf = (sent: Reply): unknown => recordsOf(sent)?.[0]?.messageId;
/** Undefined if the response says nothing about it. */
export const isMethodTaken = ({ status }: Reply): boolean | undefined =>
	[404, 405, 415].includes(status) ? false : status === 401 || status >= 500 ? undefined : true;
export const not = (value: boolean | undefined) => (value === undefined ? undefined : !value);
/** Of the usual method, even if the service then took the other one. */
export function findMethod({ service, find }: Tools, id: string, path: string, reply: Reply): void {
	const first = service.refused.get(path) ?? reply;
	const other: Record<number, string | undefined> = { 404: `${id}:404`, 415: `${id}:type` };
	const hasOther = /history|balance/.test(id);
	const as = first.status === 405 ? undefined : hasOther ? other[first.status] : null;
	find(id, isMethodTaken(first), describe(first), as);
}

export function judgeEnvelope({ judge }: Tools, reply: Reply, name: string, seen?: string): void {
	const as = findEnvelope(reply, name);
	judge('envelope', reply, isSuccess(reply) ? as === undefined : undefined, seen, as);
}

/** Of a success only. */
export const has = (reply: Reply, name: string) =>
	isSuccess(reply) ? name in fieldsOf(reply) : undefined;

/** Reads history until it lists the message, by its ID or text. */
export async function lookFor(sent: Reply, words: string, { service, pause }: Tools) {
	const isIt = (one: Fields) =>
		one.messageId === idOf(sent) || String(one.message).includes(`${service.tag} ${words}`);
	const to = inDigits(service);
	const query = { ...(to.startsWith('95') ? { to } : { message: service.tag }), limit: '100' };
	for (let waitMs = second; ; waitMs = Math.min(waitMs * 1.5, 10 * second)) {
		const reply = await service.get('/rest/messages', query);
		const record = recordsOf(reply)?.find(isIt);
		const lookedMs = service.now() - sent.at - sent.tookMs;
		if (record || lookedMs >= longestLookMs || !recordsOf(reply)) {
			return { reply, record, seconds: Math.round(lookedMs / second) };
		}
		await pause(waitMs);
	}
}

/** How the sandbox can write numbers. */
const numberForms: Record<string, string | undefined> = {
	...{ '09NUMBER': '', '9NUMBER': ':short', masked: ':masked', missing: ':missing' },
};

export function findNumber({ service, find }: Tools, id: string, records: Fields[] = []): void {
	const own = inDigits(service);
	const accepted = records.filter(({ status }) => status !== false);
	for (const { to } of accepted) {
		const written = showNumber(to, own);
		const form = numberForms[written];
		find(id, to === own, written, form === undefined ? null : id + form);
	}
}

export async function requestCode(tools: Tools, fields: Record<string, string>) {
	const { service, ask } = tools;
	const query = { brand: service.tag, from: service.given.sender, ...fields };
	const reply = await service.post('/otp/request', query);
	const { requestId } = fieldsOf(reply);
	if (!isSuccess(reply) || requestId === undefined) return undefined;
	const own = await ask(`The code that you received at ${fields.to} (leave empty if none came): `);
	const verify = (code: string) =>
		service.post('/otp/verify', { requestId: String(requestId), code });
	return own === '' ? undefined : { reply, own, verify };
}

/** Of the same length, and wrong. @param by 1 to 9 */
export const spoil = (code: string, by: number): string =>
	code.replace(/\d$/, (last) => String((Number(last) + by) % 10));

export const timeForms: Array<[form: RegExp, as: string]> = [
	[/T.*\.9+Z$/, 'time-form'],
	[/T.*\+99:99$/, 'time-form:zone'],
	[/T.*\+9999$/, 'time-form:offset'],
];

/** The name that n8n knows a zone by. @param minutes ahead of UTC */
export function nameZone(minutes: number): string {
	const hours = Math.round(minutes / 15) / 4;
	const named: Record<number, string> = { 0: 'UTC', 5.5: 'Asia/Kolkata', 6.5: 'Asia/Yangon' };
	const unnamed = Number.isInteger(hours)
		? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
		: 'another one: ask your provider';
	return named[hours] ?? unnamed;
}

/** The balance, after it was read with the other scheme where Bearer was not accepted. */
export async function findScheme({ service, first, find, fillIn }: Tools): Promise<Reply> {
	const words = `status ${first.status}`;
	if (first.status !== 401) {
		find('auth-bearer', isSuccess(first) || undefined, words);
		return first;
	}
	const reply = await service.get(balancePath);
	if (isSuccess(reply)) {
		find('auth-bearer', false, words);
		fillIn('Authorization Scheme', 'Basic');
	}
	return reply;
}

const flagLabels = {
	whenOn: 'Only when on, as 1',
	numbers: 'Always, as 0 or 1',
	booleans: 'Always, as true or false',
};

/** Sends with Test until the service accepts a form of its flags. @returns whether it did */
export async function findFlags(tools: Tools, send: () => Promise<Reply>): Promise<boolean> {
	const { service, find, judge, fillIn } = tools;
	const replies: Reply[] = [];
	for (const form of flagForms) {
		service.flags = form;
		replies.push(await send());
		const [last] = replies.slice(-1) as [Reply];
		if (isTaken(last) !== false || tellsNothing(last)) break;
	}
	const [first] = replies as [Reply];
	if (!isTaken(replies.at(-1) ?? first)) {
		service.flags = 'whenOn';
		judge('flag-test', first, isTaken(first));
		return false;
	}
	const { flags } = service;
	find('flags-numbers', flags !== 'numbers', describe(first));
	find('flags-booleans', flags !== 'booleans', describe(first));
	find('flag-test', flags !== 'booleans', describe(first));
	fillIn('Flags', flagLabels[flags]);
	return true;
}

/** A flag that is not accepted as 1 may be accepted as true. */
export async function useBooleans(
	{ service, fillIn }: Tools,
	send: () => Promise<Reply>,
): Promise<void> {
	const { flags } = service;
	service.flags = 'booleans';
	if (isTaken(await send())) fillIn('Flags', flagLabels.booleans);
	else service.flags = flags;
}
