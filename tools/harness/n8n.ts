import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findFreePort } from '../../scripts/n8n/freePort';
import { connectToN8n, N8nApi } from './N8nApi';
import { startN8nProcess } from '../../scripts/n8n/n8nProcess';
import { installPackage } from '../../scripts/n8n/packageInstall';
import { logFolder } from '../../scripts/n8n/paths';

export const owner = { email: 'owner@example.com', password: 'End-to-end-1' };
const shared = 'E2E_SHARED_N8N';
/** A start costs a quarter less of a processor without the pages of the editor; the requests that it makes are there. */
const withoutEditor = { N8N_DISABLE_UI: 'true' };

export interface StartOptions {
	/** The packed package; the shared n8n's when it is left out. Empty: n8n without our package. */
	tarball?: string;
	/** 0 or nothing: a free one. */
	port?: number;
	env?: Record<string, string>;
	/** The editor in a browser, and the lists of node types that it reads. */
	withEditor?: boolean;
	/** Kept at the end when it is given, else n8n gets a new one that is removed. */
	userFolder?: string;
}

/** What the tests of other processes need to know of a running n8n. */
export interface N8nAddress {
	url: string;
	logFile: string;
	tarball: string;
	/** Its settings, which an n8n of one's own has as well. */
	env: Record<string, string>;
	/** Of a login, which costs n8n 90 ms of a processor; it is made where there is none. */
	cookie?: string;
}

export interface N8n {
	url: string;
	tarball: string;
	api: N8nApi;
	/** All that n8n has printed since its (last) start. */
	log(): string;
}

export interface OwnN8n extends N8n {
	userFolder: string;
	logFile: string;
	/** Stops and starts n8n on the same port with the same data; `api` stays logged in. */
	restart(): Promise<void>;
	/** The same, but n8n is killed in the middle of whatever it does. */
	crash(): Promise<void>;
	close(): Promise<void>;
}

/** An n8n of one's own, for tests that restart it or set it up in another way. Close it. */
export async function startN8n(options: StartOptions = {}): Promise<OwnN8n> {
	const tarball = options.tarball ?? sharedAddress().tarball;
	const env = {
		...(!options.withEditor && withoutEditor),
		...(isShared() && sharedAddress().env),
		...options.env,
	};
	const folder = options.userFolder ?? mkdtempSync(join(tmpdir(), 'n8n-e2e-'));
	const launch = {
		userFolder: folder,
		port: options.port || (await findFreePort()),
		logFile: join(logFolder, 'e2e', `${basename(folder)}.log`),
		env,
	};
	const removeFolder = () => {
		if (!options.userFolder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	};
	process.once('exit', removeFolder);
	if (tarball) await installPackage(tarball, folder);
	let program = await startN8nProcess(launch);
	return {
		url: program.url,
		tarball,
		userFolder: folder,
		logFile: launch.logFile,
		api: await connectToN8n(program.url, owner),
		log: () => program.log(),
		restart: async () => {
			await program.stop();
			program = await startN8nProcess(launch);
		},
		crash: async () => {
			await program.kill();
			program = await startN8nProcess(launch);
		},
		close: async () => {
			await program.stop();
			removeFolder();
			process.off('exit', removeFolder);
		},
	};
}

/** Lets the tests find those that the whole run shares. */
export function shareN8n(addresses: N8nAddress[]): void {
	process.env[shared] = JSON.stringify(addresses);
}

const isShared = () => process.env[shared] !== undefined;

/** Each worker of jest keeps to one of them. */
function sharedAddress(): N8nAddress {
	const addresses = process.env[shared];
	if (!addresses) throw new Error('No n8n is shared: run this test in the jest project "e2e".');
	const all = [JSON.parse(addresses) as N8nAddress | N8nAddress[]].flat();
	return all[Number(process.env.JEST_WORKER_ID ?? 0) % all.length];
}

/** An n8n that many files of end-to-end tests share, with the packed package in it. */
export async function connectToSharedN8n(): Promise<N8n> {
	const { url, logFile, tarball, cookie } = sharedAddress();
	const api = cookie ? new N8nApi(url, cookie) : await connectToN8n(url, owner);
	return { url, tarball, api, log: () => readFileSync(logFile, 'utf8') };
}
