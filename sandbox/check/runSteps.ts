import { isAccepted } from './seen';
import type { Account } from './Account';
import type { Run } from './report';
import { type Step, steps, type Tools } from './steps';

export interface Budget {
	messages: number;
	codes: number;
}

/** The user: asked before something is spent, and for codes. */
export interface User {
	confirm: (step: Step) => Promise<boolean>;
	ask: Tools['ask'];
	tell: (line: string) => void;
}

export interface Wanted {
	budget: Budget;
	/** Names of steps; empty: all. */
	only: string[];
	/** Aborted by Ctrl-C: no further step starts, and pauses end. */
	signal: AbortSignal;
	pause: Tools['pause'];
}

/** @returns what was seen up to the end, or up to the interruption */
export async function runSteps(account: Account, user: User, wanted: Wanted): Promise<Run> {
	account.signal = wanted.signal;
	const leftOut: Run['leftOut'] = {};
	for (const step of steps) {
		const reason = await findReason(step, account, user, wanted);
		if (reason !== undefined) leftOut[step.name] = reason;
		else await runStep(step, account, user, wanted);
	}
	const day = new Date(account.now()).toISOString().slice(0, 10);
	return { day, exchanges: account.exchanges, leftOut };
}

async function runStep(step: Step, account: Account, user: User, wanted: Wanted): Promise<void> {
	user.tell(`${step.name} ...`);
	const { signal } = wanted;
	const pause = async (ms: number): Promise<void> => {
		await wanted.pause(ms);
		signal.throwIfAborted();
	};
	try {
		await step.run({ account, pause, ask: user.ask });
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}

/** Why a step is left out; undefined to run it. */
async function findReason(step: Step, account: Account, user: User, wanted: Wanted) {
	const { only, budget, signal } = wanted;
	const { name, messages = 0, codes = 0, needs } = step;
	if (signal.aborted) return 'interrupted';
	if (only.length > 0 && !only.includes(name)) return 'not in --only';
	if (needs && account.given[needs] === undefined) {
		return needs === 'email' ? 'no email address given' : 'no public address given (--public-url)';
	}
	const spent = countSpent(account);
	if (spent.messages + messages > budget.messages) {
		return `up to ${messages} messages: raise the budget with --messages ${spent.messages + messages}`;
	}
	if (spent.codes + codes > budget.codes)
		return `1 code: raise the budget with --codes ${spent.codes + codes}`;
	const isFree = messages + codes === 0;
	return isFree || (await user.confirm(step)) ? undefined : 'declined';
}

/** Messages with Test count once a balance shows that they cost. A request without a response counts. */
export function countSpent({ exchanges }: Account): Budget {
	const after = exchanges.find(({ name }) => name === 'after test')?.body;
	const before = exchanges.find(({ name }) => name === 'before test')?.body;
	const isTestFree =
		(after as Record<string, unknown> | null)?.balance ===
		(before as Record<string, unknown> | null)?.balance;
	let [messages, codes] = [0, 0];
	for (const exchange of exchanges) {
		const { request, status, body } = exchange;
		const isUnknown = status === 0 || status >= 500;
		if (request.path === '/otp/request') codes += Number(isUnknown || status < 300);
		if (!/\/send/.test(request.path)) continue;
		const isTest = Boolean((request.body as { test?: unknown } | undefined)?.test);
		if (isTest && isTestFree) continue;
		const { length = 1 } = (body as { messages?: unknown[] } | null)?.messages ?? [null];
		if (isUnknown || isAccepted(exchange)) messages += length;
	}
	return { messages, codes };
}
