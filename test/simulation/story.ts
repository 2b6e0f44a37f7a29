import type { Attempt, Book, Request } from './book';
import type { Violation } from './invariants';
import { kindOf } from './reading';
import { plainTraits, type SendPlan, type World } from './world';

const mostLines = 40;
const last = 10;

interface Line {
	at: number;
	text: string;
	/** Lines of one kind that follow each other become one. */
	of?: unknown;
}

/** What happened in a world, in words: who did what when, and what is wrong with it. */
export function tell(world: World, book: Book, violations: Violation[]): string {
	const { beginsAt } = world;
	const lines = listLines(world, book);
	const sorted = lines.filter(({ text }) => text !== '').sort((a, b) => a.at - b.at);
	const told = sorted.flatMap(({ at, text, of }, n) => {
		const isRepeated = of !== undefined && of === sorted[n - 1]?.of;
		const isGoingOn = of !== undefined && of === sorted[n + 1]?.of;
		const seconds = ((at - beginsAt) / 1000).toFixed(1).padStart(8);
		return isRepeated
			? []
			: [`${seconds} s  ${text}${isGoingOn ? ' (and more)' : ''}`.slice(0, 420)];
	});
	const broken = new Map(violations.map(({ sign, what }) => [sign, `!! ${sign}: ${what}`]));
	const left = told.length - mostLines;
	const shown =
		left > 0
			? [...told.slice(0, mostLines - last), `      ... ${left} lines ...`, ...told.slice(-last)]
			: told;
	return [describeWorld(world), ...shown, ...broken.values()].join('\n');
}

function listLines({ beginsAt, clock, outages }: World, book: Book): Line[] {
	return [
		...book.attempts.flatMap(linesOf),
		...book.requests.map(lineOf),
		...clock.map(({ atMs, aheadMs }) => ({
			at: beginsAt + atMs,
			text: `The clock of the machine is ${aheadMs / 1000} s ahead`,
		})),
		...outages.map(({ fromMs, forMs, of, response }) => ({
			at: beginsAt + fromMs,
			text: `The service fails for ${forMs / 1000} s: ${of}, ${response}`,
		})),
	];
}

function describeWorld(world: World): string {
	const { node, rows, options, onError, tries, passes, service, serviceTimeZone } = world;
	const usual: Record<string, unknown> = { ...plainTraits };
	const unusual = Object.entries(service).filter(([name, value]) => usual[name] !== value);
	const traits = unusual.map(([name, value]) => `${name} ${String(value)}`).join(', ');
	const loop = passes > 1 ? `, ${passes} rounds of a loop` : '';
	return `${node}, ${rows.length} items${loop}, ${onError}, ${tries} tries, ${JSON.stringify(options)}, ${serviceTimeZone}${world.yesterday ? ', as yesterday' : ''}${world.isManual ? ', by hand' : ''}; the service: ${traits || 'as usual'}`;
}

function nameOf({ family, execution, try: n, pass, process }: Attempt): string {
	const retry = execution > 0 ? `, retry ${execution}` : '';
	return `Execution ${family + 1}${retry}${pass > 0 ? `, round ${pass + 1}` : ''}${n > 1 ? `, try ${n}` : ''} (${process})`;
}

function linesOf(attempt: Attempt): Line[] {
	const { begunAt, endedAt, stoppedAt, state, rows, kind, items, error, hints } = attempt;
	const input = rows
		.map(({ to, ref = '' }, n) => `${to} "${attempt.texts[n]}" ${ref}`)
		.slice(0, 6)
		.join('; ');
	const outcomes = items.map(({ json }) =>
		json.messageId === undefined
			? (kindOf({ json }) ?? String(json.skipped ?? json.wouldSend ?? 'waits'))
			: `${String(json.messageId)}${json.alreadySent ? ' already sent' : ''}`,
	);
	const results = error
		? `${error.message}. ${error.description}`
		: `${outcomes.slice(0, 12).join(', ')} ${hints.join(' ')}`;
	return [
		{ at: begunAt, text: `${nameOf(attempt)} begins, ${kind}: ${input}` },
		{ at: stoppedAt ?? 0, text: stoppedAt ? 'The user stops it' : '' },
		{ at: endedAt ?? begunAt, text: `${nameOf(attempt)} ${state}: ${results}` },
	];
}

function lineOf(request: Request): Line {
	const { attempt, kind, at, endedAt = NaN, numbers, got, stored, shown, plan } = request;
	const { retryAfterMs = 0 } = request;
	const took = `${String(got)} after ${((endedAt - at) / 1000).toFixed(1)} s`;
	const asks = retryAfterMs ? `, Retry-After ${retryAfterMs / 1000} s` : '';
	if (kind !== 'send') {
		const text = `${nameOf(attempt)} reads (${kind}): ${took}, ${shown} shown${asks}`;
		return { at, text, of: attempt };
	}
	const seconds = (moment: number) => `${((moment - at) / 1000).toFixed(0)} s later`;
	const times = stored.map(
		({ id, createdAt, listedAt }) =>
			`${id}${createdAt > at + 8_000 ? ` accepted ${seconds(createdAt)}` : ''}${listedAt > endedAt ? ` listed ${seconds(listedAt)}` : ''}`,
	);
	const response = (plan as SendPlan | undefined)?.response ?? 'records';
	return {
		at,
		text: `${nameOf(attempt)} sends ${numbers.length} to ${numbers.slice(0, 5).join(', ')} -> ${took} (${response})${asks}; accepted: ${times.slice(0, 6).join(', ') || 'none'}`,
	};
}
