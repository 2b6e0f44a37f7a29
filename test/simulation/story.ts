import type { Attempt, Book, Request } from './book';
import type { Violation } from './invariants';
import { kindOf } from './reading';
import { plainTraits, type SendPlan, type World } from './world';

const mostLines = 40;

interface Line {
	at: number;
	text: string;
	/** Lookups of one attempt that follow each other become one line. */
	reads?: Attempt;
}

/** What happened in a world, in words: who did what when. */
export function tell(world: World, book: Book, violations: Violation[]): string {
	const { beginsAt } = world;
	const lines: Line[] = [
		...book.attempts.flatMap((one) => linesOf(world, one)),
		...book.requests.map((one) => lineOf(one, beginsAt)),
		...world.sleeps.map(({ atMs, forMs }) => ({
			at: beginsAt + atMs,
			text: `The machine sleeps for ${forMs / 1000} s`,
		})),
		...world.clock.map(({ atMs, aheadMs }) => ({
			at: beginsAt + atMs,
			text: `The clock of the machine is ${aheadMs / 1000} s ahead`,
		})),
		...world.outages.map(({ fromMs, forMs, of, response }) => ({
			at: beginsAt + fromMs,
			text: `The service fails for ${forMs / 1000} s: ${of}, ${response}`,
		})),
	];
	const sorted = lines
		.map((line, n) => ({ line, n }))
		.sort((a, b) => a.line.at - b.line.at || a.n - b.n);
	const told: string[] = [];
	let reads: { of: Attempt; count: number } | undefined;
	for (const { line } of sorted) {
		if (line.reads && reads?.of === line.reads) {
			reads.count += 1;
			told[told.length - 1] = told[told.length - 1].replace(
				/( \(and \d+ more times\))?$/,
				` (and ${reads.count} more times)`,
			);
			continue;
		}
		reads = line.reads && { of: line.reads, count: 0 };
		told.push(`${((line.at - beginsAt) / 1000).toFixed(1).padStart(7)} s  ${line.text}`);
	}
	const broken = [
		...new Map(violations.map(({ sign, what }) => [sign, `!! ${sign}: ${what}`])).values(),
	];
	const room = mostLines - 1 - broken.length;
	const left =
		told.length > room
			? [
					...told.slice(0, room - 11),
					`      ... ${told.length - room + 1} lines ...`,
					...told.slice(-10),
				]
			: told;
	return [describeWorld(world), ...left, ...broken].join('\n');
}

function describeWorld(world: World): string {
	const { node, rows, options, onError, tries, passes, service, serviceTimeZone } = world;
	const usual: Record<string, unknown> = { ...plainTraits };
	const unusual = Object.entries(service).filter(([name, value]) => usual[name] !== value);
	const traits = unusual.map(([name, value]) => `${name} ${String(value)}`).join(', ');
	const settings = JSON.stringify(options);
	const loop = passes > 1 ? `, ${passes} rounds of a loop` : '';
	const zone = serviceTimeZone === 'Asia/Yangon' ? '' : `, Service Time Zone ${serviceTimeZone}`;
	return `${node}, ${rows.length} items${loop}, ${onError}, ${tries} tries, ${settings}${zone}; the service: ${traits || 'as usual'}`;
}

function nameOf({ family, execution, try: n, pass, process }: Attempt): string {
	const retry = execution > 0 ? `, retry ${execution}` : '';
	return `Execution ${family + 1}${retry}${pass > 0 ? `, round ${pass + 1}` : ''}${n > 1 ? `, try ${n}` : ''} (${process})`;
}

function linesOf({ isTextChanging }: World, attempt: Attempt): Line[] {
	const { begunAt, endedAt, stoppedAt, state, rows, kind, items, error, hints } = attempt;
	const input = rows
		.map(({ to, ref }, n) => `${to} "${attempt.texts[n]}"${ref ? ` ${JSON.stringify(ref)}` : ''}`)
		.slice(0, 6)
		.join('; ');
	const begin = {
		at: begunAt,
		text: `${nameOf(attempt)} begins${kind === 'plain' ? '' : `, a ${kind}`}: ${isTextChanging ? 'changing texts, ' : ''}${input}${rows.length > 6 ? ' ...' : ''}`,
	};
	const stop = stoppedAt ? [{ at: stoppedAt, text: `The user stops it` }] : [];
	const outcomes = items.map(({ json }) =>
		json.messageId === undefined
			? (kindOf({ json }) ?? String(json.skipped ?? json.wouldSend ?? 'waits'))
			: `${String(json.messageId)}${json.alreadySent ? ' already sent' : ''}`,
	);
	const results = error
		? `: ${error.message}. ${error.description}`
		: `: ${outcomes.slice(0, 12).join(', ')}${hints.length > 0 ? ` (${hints.join(' ')})` : ''}`;
	return [
		begin,
		...stop,
		{ at: endedAt ?? begunAt, text: `${nameOf(attempt)} ${words[state]}${results}`.slice(0, 420) },
	];
}

const words = {
	running: 'runs',
	returned: 'returns',
	threw: 'fails',
	killed: 'is killed',
	hung: 'NEVER ENDS',
};

function lineOf(request: Request, beginsAt: number): Line {
	const { attempt, kind, at, endedAt, numbers, got, stored, shown, page = 1, plan } = request;
	const { retryAfterMs } = request;
	const seconds = (moment: number) => `${((moment - beginsAt) / 1000).toFixed(0)} s`;
	const { family, execution } = attempt;
	const who = `Execution ${family + 1}${execution > 0 ? `, retry ${execution}` : ''}`;
	const took =
		endedAt === undefined
			? 'no end'
			: `${String(got)} after ${((endedAt - at) / 1000).toFixed(1)} s`;
	const asks = retryAfterMs ? `, Retry-After ${retryAfterMs / 1000} s` : '';
	if (kind !== 'send')
		return {
			at,
			text: `${who} reads ${kind === 'read' ? `history${page > 1 ? `, page ${page}` : ''}` : 'the balance'}: ${took}${shown === undefined ? '' : `, ${shown} shown`}${asks}`,
			reads: attempt,
		};
	const times = stored.map(
		({ id, createdAt, listedAt }) =>
			`${id}${createdAt > at + 8_000 ? ` accepted at ${seconds(createdAt)}` : ''}${listedAt > (endedAt ?? at) ? ` listed at ${seconds(listedAt)}` : ''}`,
	);
	const response = (plan as SendPlan | undefined)?.response ?? 'records';
	return {
		at,
		text: `${who} sends ${numbers.length} to ${numbers.slice(0, 5).join(', ')} -> ${took} (${response})${asks}; accepted: ${times.slice(0, 6).join(', ') || 'none'}`,
	};
}
