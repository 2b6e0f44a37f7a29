import type { N8nApi } from '../harness/N8nApi';
import type { OwnN8n } from '../harness';
import type { BenchOptions, PartName } from './benchOptions';
import { contestBulk } from './contests/bulk';
import { contestHistory } from './contests/history';
import { contestPackage } from './contests/packageSize';
import { contestReceipts } from './contests/receipts';
import { contestRetry } from './contests/retry';
import { contestSend } from './contests/send';
import { measureGrowth, type Growth } from './growth';
import type { Row } from './measure';
import { startBenchSandbox } from './sandboxControl';
import { clearBench, openBench, type Bench } from './contestant';
import { formatRows } from './table';

export interface BenchRequest extends Pick<BenchOptions, 'items' | 'rounds' | 'only'> {
	api: N8nApi;
	tarball: string;
	/** An n8n with the node of the bench that may be started again; without it some parts are left out. */
	own?: OwnN8n;
	report?(progress: string): void;
}

export interface BenchResult {
	rows: Row[];
	growth: Growth[];
}

const contests: Partial<Record<PartName, (bench: Bench) => Promise<Row[]>>> = {
	bulk: contestBulk,
	send: contestSend,
	retry: contestRetry,
	history: contestHistory,
	receipts: contestReceipts,
};

/** Everything that was asked for, one after the other. */
export async function runBench(request: BenchRequest): Promise<BenchResult> {
	const { api, tarball, own, only, items, rounds, report = () => undefined } = request;
	const sandbox = await startBenchSandbox();
	try {
		const bench = await openBench(api, sandbox, {
			items,
			rounds,
			hasHttpHelper: own !== undefined,
			report,
		});
		const rows: Row[] = [];
		for (const part of only) {
			const found =
				part === 'package' ? await contestPackage(tarball, rounds) : await contests[part]?.(bench);
			if (found) report(`\n${formatRows(found)}\n`);
			rows.push(...(found ?? []));
		}
		const growth = own && only.includes('growth') ? await measureGrowth(bench, own) : [];
		await clearBench(bench);
		return { rows, growth };
	} finally {
		await sandbox.close();
	}
}
