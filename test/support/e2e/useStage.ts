import { startSandbox, type Sandbox, type StartOptions } from '../../../sandbox';
import { openStage, type OpenStage } from '../../../tools/docsImages/openStage';
import { connectToSharedN8n, owner, startN8n, type N8n } from '../../../tools/harness';

export interface EditorOfN8n {
	n8n: N8n;
	sandbox: Sandbox;
	stage: OpenStage;
}

interface StageOptions extends StartOptions {
	pictureFolder?: string;
	/** The n8n that tests share: its credentials are offered, too, where one is to be chosen. */
	isShared?: boolean;
}

/** The editor of an n8n, of its own unless it is shared. */
export function useStage({ pictureFolder, isShared, ...options }: StageOptions = {}): EditorOfN8n {
	const used = {} as EditorOfN8n;
	let closeN8n: (() => Promise<void>) | undefined;
	beforeAll(async () => {
		// One after the other, so that what has started is known and closed when the next one fails.
		used.sandbox = await startSandbox({ pace: 300, ...options });
		if (isShared) used.n8n = await connectToSharedN8n();
		else {
			const own = await startN8n({ withEditor: true });
			used.n8n = own;
			closeN8n = own.close;
		}
		const { n8n, sandbox } = used;
		used.stage = await openStage({ api: n8n.api, owner, sandbox, pictureFolder });
	});
	afterAll(async () => {
		await used.stage?.close();
		await used.sandbox?.close();
		await closeN8n?.();
	});
	return used;
}
