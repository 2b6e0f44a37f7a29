import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Addresses } from './awaited';

/** The node's response to a lookup call: the wait has ended, or continues. */
export const awake = 'awake';
export const asleep = 'asleep';

/** Delays before each attempt, in milliseconds: n8n may be restarting, or may not have saved the wait yet. */
export const wakeTiming = { waitsMs: [0, 1_000, 4_000, 15_000], timeoutMs: 60_000 };

interface WakeResponse {
	/** 0 without a response. */
	statusCode: number;
	/** Text, or the error code. */
	body?: unknown;
}

/** n8n's HTTP helper keeps its whole execution in memory, so all waits share the latest helper. */
export const shared: {
	call?: IExecuteFunctions['helpers']['httpRequest'];
	logger?: IExecuteFunctions['logger'];
	users: number;
	hasWarned: boolean;
} = { users: 0, hasWarned: false };

async function post(url: string): Promise<WakeResponse> {
	const response = shared.call?.({
		method: 'POST',
		url,
		encoding: 'text',
		timeout: wakeTiming.timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	}) as Promise<WakeResponse> | undefined;
	const toNone = ({
		code,
		cause,
	}: {
		code?: unknown;
		cause?: { code?: unknown };
	}): WakeResponse => ({
		statusCode: 0,
		body: code ?? cause?.code,
	});
	return (await response?.catch(toNone)) ?? { statusCode: 0 };
}

/** Once per process: all lookups call the same n8n, so each would repeat the warning. */
function warn(address: string, { statusCode, body }: WakeResponse): void {
	if (shared.hasWarned) return;
	shared.hasWarned = true;
	const found =
		statusCode === 0 ? `no response, ${String(body ?? 'unknown reason')}` : `HTTP ${statusCode}`;
	shared.logger?.warn(
		`SMS Send and Wait for Delivery cannot call your n8n instance at ${new URL(address).origin} (${found}), so it cannot look up message history. Delivery receipts and the time limit still end the wait. Make the URL in N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) reachable from n8n itself; if its certificate is from a private authority, set NODE_EXTRA_CA_CERTS.`,
	);
}

/** Calls one of the node's own addresses, with retries until n8n is ready. @returns whether the wait has ended */
async function wakeExecution(address: string): Promise<boolean> {
	let response: WakeResponse = { statusCode: 0 };
	for (const waitMs of wakeTiming.waitsMs) {
		if (waitMs > 0) await sleep(waitMs);
		response = await post(address);
		if (response.statusCode === 200 && response.body === awake) return true;
		if (response.statusCode === 200 && response.body === asleep) return false;
	}
	// 401: the execution now waits for another message. 404 and 409: it has resumed.
	if ([401, 404, 409].includes(response.statusCode)) return true;
	warn(address, response);
	return false;
}

/**
 * When a waiting execution looks up history, in milliseconds since the wait began. Each time is `factor` times the
 * previous one. Tests shorten the times.
 */
export const watchTiming = {
	/** For receipts that were lost or cannot reach n8n. */
	besideReceipts: { firstMs: 15_000, factor: 4 },
	/** In the retry of a failed execution: the receipts go to the address of the failed one. */
	insteadOfReceipts: { firstMs: 3_000, factor: 1.5 },
	/** Then only a receipt ends the wait: n8n would keep the timers of thousands of waits, and lose them in a restart. */
	longestMs: 15 * 60_000,
	/** How long before the time limit the last lookup runs. */
	beforeEndMs: 5_000,
};

export interface Watch {
	/** n8n's time limit of the wait, in milliseconds. */
	limitMs: number;
	isRetry: boolean;
	addresses: Pick<Addresses, 'look' | 'lastLook'>;
}

function* toTimes(isRetry: boolean, end: number): Generator<number> {
	const { firstMs, factor } = watchTiming[isRetry ? 'insteadOfReceipts' : 'besideReceipts'];
	for (let at = firstMs; at < end; at *= factor) yield at;
	if (end > 0) yield end;
}

async function watch({ limitMs, isRetry, addresses }: Watch): Promise<void> {
	const startedAt = performance.now();
	const last = limitMs - watchTiming.beforeEndMs;
	for (const at of toTimes(isRetry, Math.min(last, watchTiming.longestMs))) {
		await sleep(Math.max(startedAt + at - performance.now(), 0));
		if (await wakeExecution(at === last ? addresses.lastLook : addresses.look)) return;
	}
}

/** Ends with the n8n process; after a restart, receipts and the time limit still end the wait. */
export function watchHistory(context: IExecuteFunctions, watched: Watch): void {
	shared.call = context.helpers.httpRequest;
	shared.logger = context.logger;
	shared.users += 1;
	void watch(watched).finally(() => {
		shared.users -= 1;
		if (shared.users === 0) shared.call = undefined;
	});
}
