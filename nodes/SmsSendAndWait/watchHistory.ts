import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Purpose } from './resumeAddress';

/** What the node answers to a look: that the wait is over, or that it goes on. */
export const awake = 'awake';
export const asleep = 'asleep';

/** Waits before each try, in milliseconds: while n8n starts anew, or has not yet saved that the execution waits. */
export const wakeTiming = { waitsMs: [0, 1_000, 4_000, 15_000], timeoutMs: 60_000 };

interface Answer {
	/** 0 when there was none. */
	statusCode: number;
	body?: unknown;
}

type Call = IExecuteFunctions['helpers']['httpRequest'];

/**
 * n8n's HTTP helper keeps alive the whole execution that it belongs to, with all its items. So all who sleep in this
 * process call by the helper of the one that fell asleep last, and only that one stays in memory.
 */
const shared: { call?: Call; users: number } = { users: 0 };

function shareCall(context: IExecuteFunctions): void {
	shared.call = context.helpers.httpRequest;
	shared.users += 1;
}

function giveCallBack(): void {
	shared.users -= 1;
	if (shared.users === 0) shared.call = undefined;
}

async function post(url: string): Promise<Answer> {
	const answer = shared.call?.({
		method: 'POST',
		url,
		encoding: 'text',
		timeout: wakeTiming.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	}) as Promise<Answer> | undefined;
	const none: Answer = { statusCode: 0 };
	return (await answer?.catch(() => none)) ?? none;
}

/**
 * Asks a sleeping execution, at one of its own addresses, to look into history. Nothing goes with the call. It is
 * tried again while n8n is not ready for it.
 * @returns whether nobody waits there any more
 */
async function wakeExecution(address: string): Promise<boolean> {
	let lastStatus = 0;
	for (const waitMs of wakeTiming.waitsMs) {
		if (waitMs > 0) await sleep(waitMs);
		const { statusCode, body } = await post(address);
		if (statusCode === 200) return body === awake;
		lastStatus = statusCode;
	}
	// 401: the execution waits for another message by now. 404 and 409: it has gone on.
	return [401, 404, 409].includes(lastStatus);
}

/** When a sleeping execution looks into history, in milliseconds since it fell asleep. */
interface Rhythm {
	firstMs: number;
	/** Each time is so many times the one before. */
	factor: number;
}

/** As data: tests make the times short. */
export const watchTiming = {
	/** For receipts that got lost, or cannot reach this n8n. */
	besideReceipts: { firstMs: 15_000, factor: 4 } as Rhythm,
	/** In the retry of a failed execution: the receipts go to the address of the one that failed. */
	insteadOfReceipts: { firstMs: 3_000, factor: 1.5 } as Rhythm,
	longestGapMs: 60 * 60_000,
	/** The last look is as much before the time limit. */
	beforeEndMs: 3_000,
};

export interface Watch {
	/** n8n's time limit of the wait, in milliseconds. */
	limitMs: number;
	/** Whether a failed execution is run again. */
	isRetry: boolean;
	addresses: Pick<Record<Purpose, string>, 'look' | 'lastLook'>;
}

function* toTimes({ firstMs, factor }: Rhythm, end: number): Generator<number> {
	const { longestGapMs } = watchTiming;
	for (let at = firstMs; at < end; at += Math.min(at * (factor - 1), longestGapMs)) yield at;
	if (end > 0) yield end;
}

async function watch({ limitMs, isRetry, addresses }: Watch): Promise<void> {
	const startedAt = Date.now();
	const end = limitMs - watchTiming.beforeEndMs;
	const rhythm = isRetry ? watchTiming.insteadOfReceipts : watchTiming.besideReceipts;
	for (const at of toTimes(rhythm, end)) {
		await sleep(Math.max(startedAt + at - Date.now(), 0));
		if (await wakeExecution(at === end ? addresses.lastLook : addresses.look)) return;
	}
}

/**
 * Has a sleeping execution look into history now and then. Of the execution it keeps two addresses. It lives as long
 * as this process of n8n; after a restart, receipts and the time limit still end the wait.
 */
export function watchHistory(context: IExecuteFunctions, watched: Watch): void {
	shareCall(context);
	void watch(watched).finally(giveCallBack);
}
