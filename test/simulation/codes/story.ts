import { beginning } from '../clock';
import type { CodeWorld } from './world';
import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import type { Violation } from '../invariants';

const mostLines = 40;

/** What happened in a world, in words: who did what when. */
export function tellCodes(world: CodeWorld, book: CodeBook, violations: Violation[]): string {
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
	].sort((a, b) => (a.order && b.order ? a.order - b.order : a.at - b.at));
	const told = lines.map(({ at, text }) => {
		const seconds = ((at - beginning) / 1000).toFixed(1).padStart(7);
		return `${seconds} s  ${text}`.slice(0, 420);
	});
	const left = told.length - mostLines;
	const shown =
		left > 0
			? [...told.slice(0, mostLines - 10), `      ... ${left} lines ...`, ...told.slice(-10)]
			: told;
	const { options, request, verify, isExpected, service } = world;
	const settings = JSON.stringify({
		...options,
		request,
		verify,
		isExpected,
		service,
	});
	const broken = new Map(violations.map(({ sign, what }) => [sign, `!! ${sign}: ${what}`]));
	return [settings, ...shown, ...broken.values()].join('\n');
}

function linesOf(attempt: CodeAttempt) {
	const { run, node, process, order, begunAt, endedAt, state, items, outputs, error } = attempt;
	const who = `${run}, ${node} (${process})`;
	const results = outputs.flatMap((all, n) =>
		all.map(({ json }) => `${n}: ${JSON.stringify(json)}`),
	);
	const looks = attempt.looks.filter(Boolean);
	const all = [...looks, ...attempt.requests].map((one) => one.order);
	const ends = attempt.requests.map(({ endOrder = 0 }) => endOrder);
	const input = JSON.stringify(items.map(({ json }) => json));
	const end = error
		? `fails: ${error.message}. ${error.description}`
		: `${state}: ${results.join(', ')}`;
	return [
		{ order, at: begunAt, text: `${who} begins: ${input}` },
		{
			order: Math.max(order, ...all, ...ends) + 0.5,
			at: endedAt ?? begunAt,
			text: `${who} ${end}`,
		},
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
