import { receive, type Received } from './receive';
import { describe, isSuccess, tellsNothing } from './reply';
import { type KeptCall, Service, Stopped } from './Service';
import { type Step, steps } from './steps';
import type { Tools } from './tools';

export interface Finding {
	isSame: boolean;
	seen: string;
	/** The deviation of the sandbox that does the same, if that is not the ID of the row; null for none. */
	as?: string | null;
}

/** What `exchanges.json` holds. */
export interface Results {
	/** Day of the check. */
	day: string;
	/** Why the check ended early. */
	ended?: string;
	findings: Record<string, Finding>;
	/** The first response that told nothing, though it was asked for something. */
	cause?: string;
	/** What was learned for fields of the credential, by their labels. */
	credential: Record<string, string>;
	/** Steps that were left out, with the reason. */
	leftOut: Record<string, string>;
	calls: KeptCall[];
}

/** The user: asked before something is spent, and for codes. */
export interface User {
	confirm: (step: Step) => Promise<boolean>;
	ask: Tools['ask'];
	tell: (line: string) => void;
}

export interface Wanted {
	budget: { messages: number; codes: number };
	/** Names of steps; empty: all. */
	only: string[];
	/** Local port of the receiver; 0 selects a free one. */
	port: number;
	/** Aborted by Ctrl-C: no further request starts. */
	signal: AbortSignal;
	pause: Tools['pause'];
	now: () => number;
	/** Called after each call and finding, with all so far. */
	save: (results: Results) => void;
}

/** Runs the steps. @throws Stopped if there is no service: nothing was sent */
export async function runSteps(
	given: Service['given'],
	user: User,
	wanted: Wanted,
): Promise<Results> {
	const { signal, save, now } = wanted;
	const pause = async (ms: number): Promise<void> => {
		await wanted.pause(ms);
		signal.throwIfAborted();
	};
	const onCall = () => save(results);
	const service = new Service(given, { now, pause, signal, onCall });
	const day = new Date(now()).toISOString().slice(0, 10);
	const results: Results = { day, findings: {}, credential: {}, leftOut: {}, calls: service.calls };
	const first = await service.reach();
	const received: Received[] = [];
	const receiver =
		given.receiptUrl === undefined ? undefined : await receive(wanted.port, received);
	const tools: Tools = {
		service,
		first,
		received,
		pause,
		ask: user.ask,
		...record(results, onCall),
	};
	const interrupted = (error: unknown): void => {
		if (!signal.aborted) throw error;
	};
	try {
		for (const step of steps) {
			const reason = results.ended ?? (await findReason(step, service, user, wanted));
			if (reason !== undefined) results.leftOut[step.name] = reason;
			else await runStep(step, tools, user, results).catch(interrupted);
		}
	} finally {
		receiver?.close();
	}
	save(results);
	return results;
}

function record(results: Results, save: () => void): Pick<Tools, 'find' | 'judge' | 'fillIn'> {
	const { findings, credential } = results;
	const find: Tools['find'] = (id, isSame, seen, as) => {
		const before = findings[id];
		// A later response may show better how it differs.
		if (before?.isSame === false && isSame === false && as !== undefined) before.as = as;
		if (isSame === undefined || before?.isSame === false) return;
		findings[id] = { isSame, seen: seen.slice(0, 300), ...(as !== undefined && { as }) };
		save();
	};
	const judge: Tools['judge'] = (id, reply, isSame, seen, as) => {
		const found = tellsNothing(reply) ? undefined : isSame;
		const what = isSuccess(reply) ? ' without what the specification shows' : '';
		if (found === undefined) results.cause ??= `${reply.call} responded ${describe(reply)}${what}`;
		find(id, found, !found && seen !== undefined ? seen : describe(reply), as);
	};
	const fillIn: Tools['fillIn'] = (field, value) => void (credential[field] = value);
	return { find, judge, fillIn };
}

/** A stop ends all others, too. */
async function runStep(step: Step, tools: Tools, user: User, results: Results): Promise<void> {
	user.tell(`${step.name} ...`);
	try {
		await step.run(tools);
	} catch (error) {
		if (!(error instanceof Stopped)) throw error;
		const { host } = new URL(tools.service.given.baseUrl);
		results.ended = error.message.replaceAll(host, 'the service');
	}
}

/** Why a step is left out; undefined to run it. */
async function findReason(step: Step, service: Service, user: User, wanted: Wanted) {
	const { only, budget, signal } = wanted;
	const { name, messages = 0, codes = 0, needs } = step;
	if (signal.aborted) return 'interrupted';
	if (only.length > 0 && !only.includes(name)) return 'not in --only';
	if (needs && service.given[needs] === undefined) {
		return needs === 'email' ? 'no email address given' : 'no public URL given (--public-url)';
	}
	const spent = service.spent();
	if (spent.messages + messages > budget.messages) {
		return `up to ${messages} messages: raise the budget with --messages ${spent.messages + messages}`;
	}
	if (spent.codes + codes > budget.codes) {
		return `1 code: raise the budget with --codes ${spent.codes + codes}`;
	}
	if (messages + codes === 0 || (await user.confirm(step))) return undefined;
	return signal.aborted ? 'interrupted' : 'declined';
}
