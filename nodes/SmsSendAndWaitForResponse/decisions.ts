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

/** The decision that another press of the same question came to before. */
export async function findDecision(key: string): Promise<Decision | undefined> {
	for (let decision = decisions.get(key); decision; decision = decisions.get(key)) {
		if (await decision.isCounted) return decision;
		// n8n did not go on: unless another press has decided since, this one may.
		if (decisions.get(key) === decision) decisions.delete(key);
	}
	return undefined;
}

/** Called without anything in between after `findDecision` found none. */
export function keepDecision(key: string, decision: Decision): void {
	decisions.set(key, decision);
	if (decisions.size > mostKept) decisions.delete(String(decisions.keys().next().value));
}
