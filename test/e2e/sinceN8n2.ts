import { isN8n1 } from '../../scripts/n8n/paths';

/** For what n8n 1 does not have: its tests are counted as skipped there, with the reason. */
export function sinceN8n2(what: string): jest.It {
	if (!isN8n1()) return test;
	process.stdout.write(`Skipped: n8n 1 has no ${what}\n`);
	return test.skip;
}
