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

/** The earlier decision on a question. Decisions with which n8n did not resume are forgotten. */
export async function findDecision(key: string): Promise<Decision | undefined> {
	for (let decision = decisions.get(key); decision; decision = decisions.get(key)) {
		if (await decision.isCounted) return decision;
		if (decisions.get(key) === decision) decisions.delete(key);
	}
	return undefined;
}

/** Decides, unless there is an earlier decision. @returns the earlier decision */
export async function decideOnce(
	key: string,
	decide: () => Decision,
): Promise<Decision | undefined> {
	for (;;) {
		const earlier = await findDecision(key);
		if (earlier) return earlier;
		// Another press may have decided during the await.
		if (decisions.has(key)) continue;
		decisions.set(key, decide());
		if (decisions.size > mostKept) decisions.delete(String(decisions.keys().next().value));
		return undefined;
	}
}
