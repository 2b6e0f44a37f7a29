import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Purpose } from './resumeAddress';
import { giveCallBack, shareCall, wakeExecution } from './wakeExecution';

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
