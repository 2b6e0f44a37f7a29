import type { Sandbox } from '../../sandbox';
import type { Owner } from '../../scripts/n8n/n8nClient';
import type { N8nApi } from '../harness/N8nApi';
import { launchBrowser } from './browser';
import { Camera } from './Camera';
import { Editor } from './Editor';
import type { Stage } from './scenes';

export interface OpenStage extends Stage {
	/** Only when pictures are taken. */
	camera?: Camera;
	close(): Promise<void>;
}

interface StageOptions {
	api: N8nApi;
	owner: Owner;
	sandbox: Sandbox;
	/** Where pictures go; none are taken without it. */
	pictureFolder?: string;
}

/** A browser in which the owner of an n8n has logged in. Close it. */
export async function openStage(options: StageOptions): Promise<OpenStage> {
	const { api, owner, sandbox, pictureFolder } = options;
	const browser = await launchBrowser();
	const context = await browser.newContext({
		baseURL: api.url,
		viewport: { width: 1280, height: 800 },
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'Asia/Yangon',
	});
	context.setDefaultTimeout(60_000);
	const login = { emailOrLdapLoginId: owner.email, password: owner.password };
	await context.request.post('/rest/login', { data: login, failOnStatusCode: true });
	const page = await context.newPage();
	const camera = pictureFolder === undefined ? undefined : new Camera(page, pictureFolder);
	return {
		page,
		editor: new Editor(page, api),
		api,
		sandbox,
		camera,
		picture: async (name, ...parts) => await camera?.take(name, parts),
		close: async () => await browser.close(),
	};
}
