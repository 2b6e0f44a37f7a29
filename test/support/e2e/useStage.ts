import { startSandbox, type Sandbox } from '../../../sandbox';
import { openStage, type OpenStage } from '../../../tools/docsImages/openStage';
import { owner, startN8n, type OwnN8n } from '../../../tools/harness';

interface EditorOfN8n {
	sandbox: Sandbox;
	stage: OpenStage;
}

/** The editor of an n8n of its own. */
export function useStage(): EditorOfN8n {
	const used = {} as EditorOfN8n;
	let n8n: OwnN8n | undefined;
	beforeAll(async () => {
		// One after the other, so that what has started is known and closed when the next one fails.
		used.sandbox = await startSandbox({ pace: 300 });
		n8n = await startN8n({ withEditor: true });
		used.stage = await openStage({ api: n8n.api, owner, sandbox: used.sandbox });
	});
	afterAll(async () => {
		await used.stage?.close();
		await used.sandbox?.close();
		await n8n?.close();
	});
	return used;
}
