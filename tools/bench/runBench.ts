import type { N8nApi } from '../harness/N8nApi';
import type { BenchOptions, PartName } from './benchOptions';
import { contestBulk, contestHistory, contestSend } from './contests';
import { useBench, type Bench } from './contestant';
import type { Row } from './measure';
import { contestReceipts } from './receipts';

export interface BenchRequest extends Pick<BenchOptions, 'items' | 'rounds' | 'only'> {
	api: N8nApi;
	report?(progress: string): void;
}

const contests: Partial<Record<PartName, (bench: Bench) => Promise<Row[]>>> = {
	bulk: contestBulk,
	send: contestSend,
	history: contestHistory,
	receipts: contestReceipts,
};

/** Everything that was asked for, one after the other. */
export async function runBench(request: BenchRequest): Promise<Row[]> {
	return await useBench(request, async (bench) => {
		const rows: Row[] = [];
		for (const part of request.only) rows.push(...((await contests[part]?.(bench)) ?? []));
		return rows;
	});
}
