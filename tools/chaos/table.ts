import type { ChaosReport } from './runChaos';

const columns: Array<[string, (report: ChaosReport) => string]> = [
	['', ({ label }) => label],
	['wanted', ({ wanted }) => String(wanted)],
	['sent once', ({ once }) => String(once)],
	['extra', ({ extra }) => String(extra)],
	['missing', ({ missing }) => String(missing)],
	['unreported', ({ unreported }) => String(unreported)],
	['unknown', ({ unknown }) => String(unknown)],
	['requests', ({ requests }) => String(requests)],
	['seconds', ({ seconds }) => seconds.toFixed(1)],
	['ended', ({ status, retries }) => (retries ? `${status} (${retries} retries)` : status)],
];

/** One line for each contender, below a line of headings. */
export function formatReports(reports: ChaosReport[]): string {
	const rows = [
		columns.map(([heading]) => heading),
		...reports.map((report) => columns.map(([, show]) => show(report))),
	];
	const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const pad = (text: string, column: number) =>
		column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]);
	return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
