import type { IDataObject } from 'n8n-workflow';

import { retryTiming } from '../../../nodes/shared/client/retry';
import { deliveryTiming } from '../../../nodes/shared/delivery/timing';
import { lookTiming } from '../../../nodes/SmsSendAndWait/outcome';
import type { FaultEffect, FaultRule, Sandbox } from '../../../sandbox';
import type { RunResult } from './runWorkflow';

/** The end of every doubt with the short times; what appears in history later counts as not taken. */
const lastPollMs = 60;

export const shortDelivery = {
	firstLookMs: 1,
	doubtLastsMs: lastPollMs,
	doubtAfterTimeOutLastsMs: lastPollMs,
	rejectionPollMs: 15,
	lastDoubtLastsMs: 15,
	watchedLastsMs: 15,
};
export const shortRetry = { firstWaitMs: 1, longestBackOffMs: 4 };

/** Sets these times for all tests of a file, and puts them back after them. */
function useTimes(delivery: () => object, retry: object): void {
	const before = [deliveryTiming, retryTiming].map((times) => ({ ...times }));
	beforeAll(() => {
		Object.assign(retryTiming, retry);
		Object.assign(deliveryTiming, delivery());
	});
	afterAll(() =>
		[deliveryTiming, retryTiming].forEach((times, n) => Object.assign(times, before[n])),
	);
}

/** Makes every wait of a delivery short. */
export const shortenDelivery = () => useTimes(() => shortDelivery, shortRetry);

/** A second of the service and of the nodes takes so many milliseconds here. */
export const second = 20;
const scale = (ms: number) => (ms * second) / 1000;

/** Whatever the name says to be a time. */
function scaleTimes(times: typeof deliveryTiming): object {
	const scaled = Object.entries(times).map(([name, value]) => [
		name,
		name.endsWith('Ms') ? scale(value) : value,
	]);
	return Object.fromEntries(scaled) as object;
}

/** Scales every wait of a delivery. */
export const useScaledTimes = () => useTimes(() => scaleTimes(deliveryTiming), { firstWaitMs: 1 });

export interface WantedMessage extends IDataObject {
	to: string;
	message: string;
}

/** The nodes that only send, and the path of their requests; bulk requests of two show what happens to a part. */
export const sendNodes = [
	{ type: 'SmsSend', path: '/rest/send', options: {} },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
] as const;

/** Options with which a node sends one message after the other. */
export const onlyOne = (type: string) => ({
	parallelRequests: 1,
	...(type === 'SmsBulkSend' && { recipientsPerRequest: 1 }),
});

/** Parameters that take their values from such items. */
export const mapped = { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'MyShop' };

export function wantedMessages(count: number, text = 'Message'): WantedMessage[] {
	return Array.from({ length: count }, (_, index) => ({
		to: `95977910${String(1000 + index)}`,
		message: `${text} ${index}`,
	}));
}

export interface Account {
	/** Messages at the service that nobody wanted. */
	extra: string[];
	/** Messages at the service that the output neither holds nor reports as unknown. */
	unreported: string[];
	/** Messages in the output that the service does not have, or that are there twice. */
	invented: string[];
	accepted: number;
	/** Error items with the words "outcome unknown". */
	unknown: number;
	/** Other error items. */
	failed: number;
}

const nameOf = ({ to, message }: { to: unknown; message: unknown }) =>
	`${String(to).replace(/\D/g, '')}: ${String(message)}`;

/** Removes one of a value. @returns whether it was there */
function take(list: string[], value: string): boolean {
	const index = list.indexOf(value);
	if (index >= 0) list.splice(index, 1);
	return index >= 0;
}

/** Compares what was wanted with what the service has and what the node said of it. */
export function accountFor(
	sandbox: Pick<Sandbox, 'messages'>,
	wanted: WantedMessage[],
	output: IDataObject[],
): Account {
	const open = wanted.map(nameOf);
	const stored = sandbox.messages();
	const extra = stored.map(nameOf).filter((name) => !take(open, name));
	const ids = stored.map(({ messageId }) => messageId);
	const errors = output.filter((json) => typeof json.error === 'string');
	const records = output.filter((json) => typeof json.error !== 'string');
	const invented = records.map(({ messageId }) => String(messageId)).filter((id) => !take(ids, id));
	const unknown = errors.filter(({ error }) => String(error).includes('Outcome unknown'));
	const reported = unknown.map(({ details }) =>
		String((details as IDataObject).to).replace('+', ''),
	);
	const isUnreported = ({ messageId, to }: { messageId: string; to: string }) =>
		ids.includes(messageId) && !take(reported, to);
	return {
		extra,
		unreported: stored.filter(isUnreported).map(nameOf),
		invented,
		accepted: records.length,
		unknown: unknown.length,
		failed: errors.length - unknown.length,
	};
}

/** What an account is when every message exists once and is in the output. */
export function allOnce(count: number): Account {
	return { extra: [], unreported: [], invented: [], accepted: count, unknown: 0, failed: 0 };
}

/** All items of all outputs. */
export function allItems({ outputs }: Pick<RunResult, 'outputs'>): IDataObject[] {
	return outputs.flat().map(({ json }) => json);
}

export const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };

const effects: Array<[string, FaultEffect]> = [
	['a cut connection', 'cut'],
	['an answer cut in its middle', 'cutBody'],
	['broken JSON', 'brokenJson'],
	['a 500', { status: 500 }],
	['a 502 with a page', { status: 502, body: '<html>Bad Gateway</html>' }],
	['a 503 that asks to wait', { status: 503, headers: { 'Retry-After': '0.05' } }],
	['a 200 without records', { status: 200, body: { messages: [] } }],
	['a 204', { status: 204 }],
];

const certain: Array<[string, FaultEffect]> = [
	['a 429', { status: 429 }],
	['a 429 with Retry-After', { status: 429, headers: { 'Retry-After': '0.05' } }],
];

/** Every way in which a request can fail for a while. */
export const faults: Array<[string, Omit<FaultRule, 'match'>]> = [
	...effects.flatMap(([name, effect]): typeof faults => [
		[`${name} before the service acts`, { effect }],
		[`${name} after acceptance`, { effect, when: 'after' }],
	]),
	...certain.map(([name, effect]): (typeof faults)[number] => [name, { effect }]),
];

/** SMS Send and Wait for Delivery reads history no longer than this before it waits. */
export function useShortLooks(): void {
	const before = { ...lookTiming };
	beforeAll(() => Object.assign(lookTiming, { everyMs: 20, beforeWaitMs: 100 }));
	afterAll(() => Object.assign(lookTiming, before));
}
