import { startSandbox, type Sandbox, type StartOptions } from '../../../sandbox';
import { openStage, type OpenStage } from '../../../tools/docsImages/openStage';
import { owner, startN8n, type OwnN8n } from '../../../tools/harness';

export interface EditorOfN8n {
	n8n: OwnN8n;
	sandbox: Sandbox;
	stage: OpenStage;
}

/** The editor of an n8n of its own, in which there are no credentials of other tests to choose from. */
export function useStage(options: StartOptions = {}, pictureFolder?: string): EditorOfN8n {
	const used = {} as EditorOfN8n;
	beforeAll(async () => {
		// One after the other, so that what has started is known and closed when the next one fails.
		used.sandbox = await startSandbox({ pace: 300, ...options });
		used.n8n = await startN8n({ withEditor: true });
		const { n8n, sandbox } = used;
		used.stage = await openStage({ api: n8n.api, owner, sandbox, pictureFolder });
	});
	afterAll(async () => {
		await used.stage?.close();
		await used.sandbox?.close();
		await used.n8n?.close();
	});
	return used;
}
