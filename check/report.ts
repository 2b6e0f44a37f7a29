import type { Results } from './run';
import { rows } from './steps';

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

function table(head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
	return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Fields of the credential, and what they have unless the check learned something else. */
const usualCredential: Record<string, string> = {
	'Base URL, API Key, API Secret, Sender ID': 'as you entered them here',
	'Authorization Scheme': 'Bearer',
	'Service Time Zone': 'Asia/Yangon',
	Flags: 'Only when on, as 1',
};

/** The deviations that make the sandbox behave like the service. */
export function listDeviations({ findings }: Results): string[] {
	const isCovered = (id: string) =>
		id.startsWith('flag-') && findings['flags-booleans']?.isSame === false;
	return Object.entries(findings)
		.filter(([id, { isSame, as }]) => !isSame && as !== null && !isCovered(id))
		.map(([id, { as }]) => as ?? id);
}

function describeSandbox(results: Results): string {
	const deviations = listDeviations(results);
	const option = deviations.length > 0 ? ` -- --deviate ${deviations.join(',')}` : '';
	return `This command starts a sandbox that behaves like the service, as far as it can:\n\n    npm run sandbox${option}`;
}

/** Whether most rows of the steps that ran could not tell anything: then the others say little. */
export function tellsLittle({ findings, leftOut }: Results): boolean {
	const asked = rows.filter(({ step }) => leftOut[step] === undefined);
	const open = asked.filter(({ id }) => findings[id] === undefined);
	return open.length * 2 > asked.length;
}

function describeEnd(results: Results): string[] {
	const { ended, cause } = results;
	if (ended !== undefined) return [`**Ended early: ${ended}**`];
	if (!tellsLittle(results)) return [];
	const first = cause === undefined ? '' : ` The first cause: ${cell(cause)}.`;
	return [`**Most rows could not tell.${first}**`];
}

/** A Markdown report that can be attached to an issue. */
export function render(results: Results): string {
	const { day, findings, leftOut, calls } = results;
	const credential = Object.entries({ ...usualCredential, ...results.credential });
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
		['Your credential', table(['Field', 'Value'], credential)],
		['The same service in the sandbox', describeSandbox(results)],
	];
	const counts = `${same.length} as assumed, ${different.length} different, ${unclear.length} could not tell. ${calls.length} requests.`;
	return `${[
		`# Check of a messaging service, ${day}`,
		...describeEnd(results),
		`${counts} It has no key, code, number or text of anybody.`,
		...sections.filter(([, body]) => body !== '').map(([title, body]) => `## ${title}\n\n${body}`),
	].join('\n\n')}\n`;
}

export const hasDifference = ({ findings }: Results): boolean =>
	Object.values(findings).some(({ isSame }) => !isSame);
