import { beginning } from '../clock';
import type { CodeWorld } from './world';
import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import type { Violation } from '../invariants';
import { tellLines } from '../story';

/** What happened in a world, in words: who did what when. */
export function tellCodes(world: CodeWorld, book: CodeBook, violations: Violation[]): string {
	// At one moment, in the order of what happened.
	const moment = ({ at, order }: { at: number; order: number }) => at + order / 1e3;
	const lines = [
		...(world.clock ?? []).map(({ atMs, aheadMs }) => ({
			...{ order: 0, at: beginning + atMs },
			text: `The clock of the machine is ${aheadMs / 1000} s ahead`,
		})),
		...book.attempts.flatMap(linesOf),
		...book.requests.map((one) => ({ order: one.order, at: one.at, text: describe(one) })),
	].map(({ text, ...when }) => ({ at: moment(when), text }));
	const { options, request, verify, isExpected, service } = world;
	const about = JSON.stringify({ ...options, request, verify, isExpected, service });
	return tellLines(about, { beginsAt: beginning, lines, violations });
}

function linesOf({ run, node, process, order, begunAt, items, ...attempt }: CodeAttempt) {
	const { endedAt = begunAt, endOrder = order, state, outputs, error } = attempt;
	const who = `${run}, ${node} (${process})`;
	const results = outputs.map((all) => all.map(({ json }) => json));
	const end = error ? `${error.message}. ${error.description}` : JSON.stringify(results);
	const input = JSON.stringify(items.map(({ json }) => json));
	return [
		{ order, at: begunAt, text: `${who} begins: ${input}` },
		{ order: endOrder, at: endedAt, text: `${who} ${state}: ${end}` },
	];
}

function describe(request: CodeRequest): string {
	const { attempt, item, kind, got, plan, says, issued, confirmed, retryAfterMs = 0 } = request;
	const { to, requestId, code } = request.query as Record<string, string>;
	const sent = issued ? `, sent ${issued.code} as ${issued.id}` : '';
	const proved = confirmed ? `, confirmed ${confirmed.phone}` : '';
	return `  ${attempt.run}, item ${item + 1}, ${kind} ${to ?? `${requestId} ${code}`} -> ${String(got)} (${String(plan?.response)}, says ${says}, Retry-After ${retryAfterMs / 1000})${sent}${proved}`;
}
