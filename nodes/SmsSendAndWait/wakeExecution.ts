import { sleep, type IExecuteFunctions } from 'n8n-workflow';

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

export function shareCall(context: IExecuteFunctions): void {
	shared.call = context.helpers.httpRequest;
	shared.users += 1;
}

export function giveCallBack(): void {
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
export async function wakeExecution(address: string): Promise<boolean> {
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
