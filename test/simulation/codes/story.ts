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
		...book.requests.flatMap((one) => [
			{ order: one.order, at: one.at, text: describe(one) },
			{ order: one.endOrder ?? one.order, at: one.endedAt ?? one.at, text: describeEnd(one) },
		]),
	].map(({ text, ...when }) => ({ at: moment(when), text }));
	const { options, request, verify, isExpected, service } = world;
	const about = JSON.stringify({ ...options, request, verify, isExpected, service });
	return tellLines(about, { beginsAt: beginning, lines, violations });
}

function linesOf(attempt: CodeAttempt) {
	const { run, node, process, order, begunAt, endedAt, state, items, outputs, error } = attempt;
	const who = `${run}, ${node} (${process})`;
	const results = outputs.flatMap((all, n) =>
		all.map(({ json }) => `${n}: ${JSON.stringify(json)}`),
	);
	const input = JSON.stringify(items.map(({ json }) => json));
	const end = error
		? `fails: ${error.message}. ${error.description}`
		: `${state}: ${results.join(', ')}`;
	return [
		{ order, at: begunAt, text: `${who} begins: ${input}` },
		{ order: attempt.endOrder ?? order, at: endedAt ?? begunAt, text: `${who} ${end}` },
	];
}

const nameOf = ({ attempt, item, kind }: CodeRequest) =>
	`  ${attempt.run}, item ${item + 1}, ${kind}`;

function describe(request: CodeRequest): string {
	const { to, requestId, code } = request.query as Record<string, string>;
	return `${nameOf(request)} ${to ?? `${requestId} ${code}`}`;
}

function describeEnd(request: CodeRequest): string {
	const { got, plan, says, issued, confirmed, retryAfterMs } = request;
	const sent = issued ? `, sent ${issued.code} as ${issued.id}` : '';
	const proved = confirmed ? `, confirmed ${confirmed.phone}` : '';
	const asks = retryAfterMs ? `, Retry-After ${retryAfterMs / 1000} s` : '';
	return `${nameOf(request)} -> ${String(got)} (${String(plan?.response)}, says ${says})${asks}${sent}${proved}`;
}
