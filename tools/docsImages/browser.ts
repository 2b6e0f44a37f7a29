import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium, selectors, type Browser } from 'playwright-core';

const run = promisify(execFile);

/** Chromium comes as an ES module with its program inside; a jest test could not import it. */
const printPath = `
	import chromium from '@sparticuz/chromium';
	process.stdout.write(await chromium.executablePath());
`;

/** No sandbox, since the browser also runs as root and in containers; it only sees our own pages. */
const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'];

/** An installed Chrome or Edge: the package's Chromium is Linux's only. */
async function launchInstalled(): Promise<Browser> {
	for (const channel of ['chrome', 'msedge']) {
		const browser = await chromium.launch({ channel }).catch(() => undefined);
		if (browser) return browser;
	}
	throw new Error('Install Google Chrome or Microsoft Edge: tests of web pages need one.');
}

/** The Chromium of the npm package `@sparticuz/chromium`, on Linux; without a window. */
export async function launchBrowser(): Promise<Browser> {
	// What n8n's editor names its parts with.
	selectors.setTestIdAttribute('data-test-id');
	if (process.platform !== 'linux') return await launchInstalled();
	const command = ['--input-type=module', '--eval', printPath];
	const { stdout } = await run(process.execPath, command, { cwd: __dirname });
	return await chromium.launch({ executablePath: stdout, args });
}
