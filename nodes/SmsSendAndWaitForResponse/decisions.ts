import type { Response } from './response';

export interface Decision {
	response: Response;
	at: Date;
	/** Whether n8n went on with it. */
	isCounted: Promise<boolean>;
}

/** For presses that come while n8n still takes the execution for a waiting one: some milliseconds. */
const mostKept = 500;

/** What this process decided last, by question. With several processes n8n's own claim on the execution decides. */
const decisions = new Map<string, Decision>();

/** The decision that a question came to before. One that n8n did not go on with is forgotten. */
export async function findDecision(key: string): Promise<Decision | undefined> {
	for (let decision = decisions.get(key); decision; decision = decisions.get(key)) {
		if (await decision.isCounted) return decision;
		if (decisions.get(key) === decision) decisions.delete(key);
	}
	return undefined;
}

/** Decides, unless it was decided before. @returns the earlier decision */
export async function decideOnce(
	key: string,
	decide: () => Decision,
): Promise<Decision | undefined> {
	for (;;) {
		const earlier = await findDecision(key);
		if (earlier) return earlier;
		// Another press can have decided in the moment since.
		if (decisions.has(key)) continue;
		decisions.set(key, decide());
		if (decisions.size > mostKept) decisions.delete(String(decisions.keys().next().value));
		return undefined;
	}
}
