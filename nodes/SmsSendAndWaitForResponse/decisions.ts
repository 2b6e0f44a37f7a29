import type { Response } from './response';

export interface Decision {
	response: Response;
	at: Date;
	/** Whether n8n resumed the execution with it. */
	isCounted: Promise<boolean>;
}

/** Covers presses in the milliseconds in which n8n still treats the execution as waiting. */
const mostKept = 500;

/** Latest decisions of this process, by question. Between processes, n8n's own claim on the execution decides. */
const decisions = new Map<string, Decision>();

/**
 * The earlier decision on a question; those with which n8n did not resume are forgotten. Without one, `decide` decides.
 */
export async function findDecision(
	key: string,
	decide?: () => Decision,
): Promise<Decision | undefined> {
	for (let found = decisions.get(key); found; found = decisions.get(key)) {
		if (await found.isCounted) return found;
		if (decisions.get(key) === found) decisions.delete(key);
	}
	if (decide) decisions.set(key, decide());
	if (decisions.size > mostKept) decisions.delete(String(decisions.keys().next().value));
	return undefined;
}
