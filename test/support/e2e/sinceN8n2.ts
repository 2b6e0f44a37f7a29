import { isN8n1 } from '../../../scripts/n8n/paths';

interface Place {
	describe: jest.Describe;
	test: jest.It;
}

/** For what n8n 1 does not have: its tests are counted as skipped there, with the reason. */
export function sinceN8n2(what: string): Place {
	if (!isN8n1()) return { describe, test };
	process.stdout.write(`Skipped: n8n 1 has no ${what}\n`);
	return { describe: describe.skip, test: test.skip };
}
