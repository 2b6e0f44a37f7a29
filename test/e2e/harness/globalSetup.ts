import { join } from 'node:path';
import { buildPackage, packPackage } from '../../../scripts/n8n/packageInstall';
import { stateFolder } from '../../../scripts/n8n/paths';
import { keepForTeardown } from './globalTeardown';
import { shareN8n, startN8n } from './n8n';

/** Packs the package and starts the one n8n that all end-to-end tests share. */
export default async function startSharedN8n(): Promise<void> {
	// `npm test` has built it a moment ago and says so.
	if (process.env.PACKAGE_IS_BUILT !== 'true') await buildPackage();
	const tarball = await packPackage(join(stateFolder, 'e2e'));
	const n8n = await startN8n({ tarball });
	keepForTeardown(n8n.close);
	shareN8n({ url: n8n.url, logFile: n8n.logFile, tarball });
}
