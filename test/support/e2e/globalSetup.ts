import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, packPackage } from '../../../scripts/n8n/packageInstall';
import { logFolder, stateFolder } from '../../../scripts/n8n/paths';
import { keepForTeardown } from './globalTeardown';
import { lookOften } from './lookOften';
import { shareN8n, startN8n } from '../../../tools/harness/n8n';

const packageFolder = join(stateFolder, 'e2e');

/**
 * n8n evaluates every expression in an isolate, but makes one for an execution only when it meets an expression, and
 * from compiled code. This halves the work of an execution and changes no result; queue mode is tested without.
 */
const env = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	...lookOften,
	// With more room for new objects, a start of n8n needs a twelfth less of a processor.
	NODE_OPTIONS: `${lookOften.NODE_OPTIONS} --max-semi-space-size=64`,
};

/** An n8n works on one processor at a time; by the end of a run, most files that are left wait for a shared one. */
const sharedCount = 2;

/** Packs the package and starts what all end-to-end tests share. */
export default async function startSharedN8n(): Promise<void> {
	// One that runs elsewhere, such as in a container, is shared as it is.
	if (process.env.E2E_SHARED_N8N) return;
	for (const folder of [packageFolder, join(logFolder, 'e2e')]) {
		rmSync(folder, { recursive: true, force: true });
	}
	// An interrupted run ends by way of `exit`, where n8n's folder is removed; n8n itself ends with us.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => process.exit(130));
	}
	await buildPackage();
	const tarball = await packPackage(packageFolder);
	const start = async () => {
		const { url, logFile, api, close } = await startN8n({ tarball, env, withEditor: true });
		keepForTeardown(close);
		return { url, logFile, tarball, env, cookie: api.cookie };
	};
	shareN8n(await Promise.all(Array.from({ length: sharedCount }, start)));
}
