import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Addresses } from './awaited';

/** What the node answers to a look: that the wait is over, or that it goes on. */
export const awake = 'awake';
export const asleep = 'asleep';

/** Delays before each attempt, in milliseconds: while n8n restarts, or has not yet saved that the execution waits. */
export const wakeTiming = { waitsMs: [0, 1_000, 4_000, 15_000], timeoutMs: 60_000 };

interface Answer {
	/** 0 when there was none. */
	statusCode: number;
	/** Text, or the code of the failure. */
	body?: unknown;
}

/** n8n's HTTP helper keeps its whole execution in memory: all who sleep call by the helper of the last one. */
export const shared: {
	call?: IExecuteFunctions['helpers']['httpRequest'];
	logger?: IExecuteFunctions['logger'];
	users: number;
	hasWarned: boolean;
} = { users: 0, hasWarned: false };

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
	const toNone = ({ code, cause }: { code?: unknown; cause?: { code?: unknown } }): Answer => ({
		statusCode: 0,
		body: code ?? cause?.code,
	});
	return (await answer?.catch(toNone)) ?? { statusCode: 0 };
}

/** Once in a process: the address is the same for all, and every look would say it again. */
function warn(address: string, { statusCode, body }: Answer): void {
	if (shared.hasWarned) return;
	shared.hasWarned = true;
	const found =
		statusCode === 0 ? `no response, ${String(body ?? 'unknown reason')}` : `HTTP ${statusCode}`;
	shared.logger?.warn(
		`SMS Send and Wait for Delivery cannot call this n8n at its own address ${new URL(address).origin} (${found}), so it does not look into message history. Delivery receipts and the time limit still end the wait. Let n8n itself reach the address in N8N_WEBHOOK_URL (in older n8n WEBHOOK_URL); where its certificate is from an authority of your own, name that in NODE_EXTRA_CA_CERTS.`,
	);
}

/** Calls one of its own addresses, again while n8n is not ready for it. @returns whether nobody waits there any more */
async function wakeExecution(address: string): Promise<boolean> {
	let answer: Answer = { statusCode: 0 };
	for (const waitMs of wakeTiming.waitsMs) {
		if (waitMs > 0) await sleep(waitMs);
		answer = await post(address);
		if (answer.statusCode === 200 && answer.body === awake) return true;
		if (answer.statusCode === 200 && answer.body === asleep) return false;
	}
	// 401: the execution waits for another message by now. 404 and 409: it has gone on.
	if ([401, 404, 409].includes(answer.statusCode)) return true;
	warn(address, answer);
	return false;
}

/**
 * When a sleeping execution looks into history, in milliseconds since it fell asleep; each time is `factor` times the
 * one before. Tests make the times short.
 */
export const watchTiming = {
	/** For receipts that got lost, or cannot reach this n8n. */
	besideReceipts: { firstMs: 15_000, factor: 4 },
	/** In the retry of a failed execution: the receipts go to the address of the one that failed. */
	insteadOfReceipts: { firstMs: 3_000, factor: 1.5 },
	longestGapMs: 60 * 60_000,
	/** The last look is as much before the time limit. */
	beforeEndMs: 3_000,
};

export interface Watch {
	/** n8n's time limit of the wait, in milliseconds. */
	limitMs: number;
	isRetry: boolean;
	addresses: Pick<Addresses, 'look' | 'lastLook'>;
}

function* toTimes(isRetry: boolean, end: number): Generator<number> {
	const { longestGapMs, insteadOfReceipts, besideReceipts } = watchTiming;
	const { firstMs, factor } = isRetry ? insteadOfReceipts : besideReceipts;
	for (let at = firstMs; at < end; at += Math.min(at * (factor - 1), longestGapMs)) yield at;
	if (end > 0) yield end;
}

async function watch({ limitMs, isRetry, addresses }: Watch): Promise<void> {
	const startedAt = Date.now();
	const end = limitMs - watchTiming.beforeEndMs;
	for (const at of toTimes(isRetry, end)) {
		await sleep(Math.max(startedAt + at - Date.now(), 0));
		if (await wakeExecution(at === end ? addresses.lastLook : addresses.look)) return;
	}
}

/** Lives as long as this process of n8n; after a restart, receipts and the time limit still end the wait. */
export function watchHistory(context: IExecuteFunctions, watched: Watch): void {
	shared.call = context.helpers.httpRequest;
	shared.logger = context.logger;
	shared.users += 1;
	void watch(watched).finally(() => {
		shared.users -= 1;
		if (shared.users === 0) shared.call = undefined;
	});
}
