import type { Exchange } from './Account';
import type { Assumption } from './assumptions';
import { assumptions } from './assumptions';
import { type Finding, Seen } from './seen';

/** What `exchanges.json` holds. */
export interface Run {
	/** Day of the check. */
	day: string;
	exchanges: Exchange[];
	/** Steps that were left out, with the reason. */
	leftOut: Record<string, string>;
}

export type Verdict = 'as assumed' | 'different' | 'could not tell';

export interface Line extends Assumption {
	verdict: Verdict;
	seen: string;
}

export function judge({ exchanges }: Pick<Run, 'exchanges'>): Line[] {
	const seen = new Seen(exchanges);
	return assumptions.map((one) => {
		const finding = findFor(one, seen);
		const verdict = finding ? (finding.isSame ? 'as assumed' : 'different') : 'could not tell';
		return {
			...one,
			verdict,
			seen: finding?.seen ?? one.cannot ?? 'The step did not run, or failed.',
		};
	});
}

/** A response of a shape that nobody expected tells nothing. */
function findFor({ judge: read }: Assumption, seen: Seen): Finding {
	try {
		return read?.(seen);
	} catch {
		return undefined;
	}
}

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

function table(head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '-'.repeat(3)), ...rows.map((row) => row.map(cell))];
	return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A Markdown report that can be attached to an issue. */
export function render(run: Run): string {
	const lines = judge(run);
	const of = (verdict: Verdict) => lines.filter((one) => one.verdict === verdict);
	const [different, same] = [of('different'), of('as assumed')];
	const unclear = of('could not tell').filter(({ cannot }) => !cannot);
	const untried = lines.filter(({ cannot }) => cannot);
	const about = ({ says = 'See SUPPORTED.md.' }: Line): string => says;
	const section = (title: string, body: string) => (body === '' ? [] : [`## ${title}`, body]);
	const rows = different.map((one) => [`\`${one.id}\``, about(one), one.seen, one.wrong ?? '']);
	const leftOut = Object.entries(run.leftOut).map(([step, why]) => `- ${step}: ${why}`);
	return `${[
		`# Check of a messaging service, ${run.day}`,
		`${same.length} as assumed, ${different.length} different, ${unclear.length} could not tell. ${run.exchanges.length} requests. Key, token, codes and numbers are masked, but read the report before you share it.`,
		...section(
			'Different',
			rows.length > 0
				? table(['ID', 'Assumed', 'Seen', 'What it means for you'], rows)
				: 'Nothing.',
		),
		...section('As assumed', same.map(({ id, seen }) => `- \`${id}\`: ${cell(seen)}`).join('\n')),
		...section(
			'Could not tell',
			unclear.map((one) => `- \`${one.id}\`: ${cell(one.seen)}`).join('\n'),
		),
		...section('Steps left out', leftOut.join('\n')),
		...section(
			'Cannot be checked',
			untried.map(({ id, cannot = '' }) => `- \`${id}\`: ${cannot}`).join('\n'),
		),
	].join('\n\n')}\n`;
}
