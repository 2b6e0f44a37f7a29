import type { Results } from './run';
import { rows } from './steps';

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

function table(head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
	return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A Markdown report that can be attached to an issue. */
export function render({ day, ended, findings, leftOut, calls }: Results): string {
	const found = rows.map((row) => ({ ...row, ...findings[row.id] }));
	const different = found.filter(({ isSame }) => isSame === false);
	const same = found.filter(({ isSame }) => isSame);
	const unclear = found.filter(({ isSame }) => isSame === undefined);
	const list = (lines: string[]): string => lines.map((line) => `- ${line}`).join('\n');
	const sections: Array<[title: string, body: string]> = [
		[
			'Different',
			different.length === 0
				? 'Nothing.'
				: table(
						['ID', 'Assumed', 'Observed', 'What it means for you'],
						different.map(({ id, says, seen = '', wrong }) => [
							`\`${id}\``,
							says || 'See SUPPORTED.md.',
							seen,
							wrong,
						]),
					),
		],
		['As assumed', list(same.map(({ id, seen = '' }) => `\`${id}\`: ${cell(seen)}`))],
		['Could not tell', unclear.map(({ id }) => `\`${id}\``).join(', ')],
		['Steps left out', list(Object.entries(leftOut).map(([step, why]) => `${step}: ${why}`))],
	];
	const counts = `${same.length} as assumed, ${different.length} different, ${unclear.length} could not tell. ${calls.length} requests.`;
	return `${[
		`# Check of a messaging service, ${day}`,
		...(ended === undefined ? [] : [`**Ended early: ${ended}**`]),
		`${counts} It has no key, code, number or text of anybody.`,
		...sections.filter(([, body]) => body !== '').map(([title, body]) => `## ${title}\n\n${body}`),
	].join('\n\n')}\n`;
}

export const hasDifference = ({ findings }: Results): boolean =>
	Object.values(findings).some(({ isSame }) => !isSame);
