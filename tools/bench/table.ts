import { bulkBound, idealBulkMs } from './contestant';
import { bulkName, type Growth } from './growth';
import { formatSeconds, isReached, type Row } from './measure';
import { noOperation } from './nodes';

/** A Markdown table whose columns are as wide as their longest cell, as Prettier writes it. */
export function formatTable(head: string[], lines: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(...[title, ...lines.map((line) => line[column])].map((cell) => cell.length), 3),
	);
	const toLine = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	const rule = toLine(widths.map((width) => '-'.repeat(width)));
	return [toLine(head), rule, ...lines.map(toLine)].join('\n');
}

function formatReach(row: Row): string {
	const { reach } = row;
	if (!reach) return '';
	const bound = 'atMost' in reach ? `≤ ${reach.atMost.toFixed(2)}` : `≥ ${reach.atLeast}`;
	return isReached(row) ? bound : `${bound}, missed`;
}

export function formatRows(rows: Row[]): string {
	const head = ['Work', 'Median', 'Compared to', 'Ratio', 'Reach', 'Requests', 'Peak in flight'];
	return formatTable(
		head,
		rows.map((row) => [
			row.work,
			row.measured,
			row.comparedTo,
			row.ratio.toFixed(2),
			formatReach(row),
			String(row.requests ?? ''),
			String(row.peakInFlight ?? ''),
		]),
	);
}

/** How long a bulk send may take, from what No Operation took for the same items. */
function formatBound({ items, costs }: Growth, name: string): string {
	const handingOver = costs.find((cost) => cost.name === noOperation.name);
	if (name !== bulkName || !handingOver) return '';
	return formatSeconds(bulkBound(items, handingOver.ms) * idealBulkMs(items));
}

export function formatGrowth(growth: Growth[]): string {
	const head = ['Items', 'Node', 'Time', 'At most', 'Memory before', 'Memory at most'];
	return formatTable(
		head,
		growth.flatMap((size) =>
			size.costs.map(({ name, ms, memoryBefore, memoryAtMost }) => [
				String(size.items),
				name,
				formatSeconds(ms),
				formatBound(size, name),
				`${memoryBefore.toFixed(0)} MB`,
				`${memoryAtMost.toFixed(0)} MB`,
			]),
		),
	);
}
