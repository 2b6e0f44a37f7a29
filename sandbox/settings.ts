import { readFileSync } from 'node:fs';
import type { ApiCredential, FaultRule, Settings, StoredMessage } from './entities';
import * as schemas from './schemas';
import { read, WrongValue } from './shapes';

export type { ApiCredential, Settings } from './entities';
/** How a delivery receipt carries its values (field note 10); all but `get` are a POST. */
export type ReceiptMethod = Settings['receiptMethod'];
/** Which flags must be the number 1 or 0: none, only `test` as observed (field note 2), or all. */
export type StrictFlags = Settings['strictFlags'];

/** A certificate and its key, in PEM format. */
export interface TlsOptions {
	cert: string;
	key: string;
}

export interface StartOptions extends Partial<Settings> {
	/** 0 (the default) selects a free port. */
	port?: number;
	host?: string;
	/** Accepted host names besides loopback and `host`, such as the name of a container. */
	allowedHosts?: string[];
	/** Shorthand for one unrestricted entry in `credentials`. */
	apiKey?: string;
	apiSecret?: string;
	/** Folder that keeps messages, codes, mails, balance, clock and late acts across restarts. */
	dataFolder?: string;
	/** Serves HTTPS with this certificate; `true` generates one (see `caFile`). */
	tls?: boolean | TlsOptions;
	/** File for the certificate authority of `tls: true`, in PEM format, that clients must trust. */
	caFile?: string;
	/** JSON file with balance, numbers, messages and faults. A kept balance or kept messages take precedence. */
	seedFile?: string;
}

const defaults = Object.entries(schemas.settings.shape).map(([name, shape]) => [
	...[name, shape.meta()?.['x-default']],
]);
const defaultSettings = Object.fromEntries(defaults) as Settings;
export const [demo] = defaultSettings.credentials as [ApiCredential];

export function isSettingName(name: string): boolean {
	return Object.hasOwn(defaultSettings, name);
}

export function dropUndefined<T extends object>(object: T): Partial<T> {
	const given = Object.entries(object).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Partial<T>;
}

/** @throws WrongValue for a name that is not a setting, or a value that is not valid */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	return { ...settings, ...dropUndefined(read(schemas.settingChanges, changes, 'settings')) };
}

/** @throws WrongValue for a name that is not an option, or a value that is not valid */
export function readStartSettings(options: StartOptions): Settings {
	const given = read(schemas.startOptions, dropUndefined(options), 'options');
	const { apiKey = demo.apiKey, apiSecret = demo.apiSecret, tls, caFile } = given;
	if (caFile !== undefined && tls !== true) throw new WrongValue('caFile is for tls: true only.');
	const changes = Object.entries(given).filter(([name]) => isSettingName(name));
	const { credentials = [{ apiKey, apiSecret }] } = given;
	return { ...defaultSettings, ...Object.fromEntries(changes), credentials };
}

/** The content of a seed file. */
export interface Seed {
	settings: Partial<Settings>;
	messages: Array<Partial<StoredMessage>>;
	faults: FaultRule[];
}

/** @throws Error that names the file and the mistake in it */
export function readSeedFile(file: string | undefined): Seed {
	if (file === undefined) return { settings: {}, messages: [], faults: [] };
	try {
		const seed = read(schemas.seed, JSON.parse(readFileSync(file, 'utf8')));
		const { balance, numbers, messages = [], faults = [] } = seed;
		return { settings: dropUndefined({ balance, numbers }), messages, faults };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`The seed file ${file} cannot be used: ${why}`);
	}
}

/** @param surface any other than the three uses the status of `rest` */
export function readSuccessStatus({ successStatus }: Settings, surface: string): number {
	if (typeof successStatus === 'number') return successStatus;
	const { rest, otp, http } = successStatus;
	return { rest, otp, http }[surface] ?? rest;
}

/** Omits API secrets. */
export function describeSettings(settings: Settings): object {
	const credentials = settings.credentials.map(({ apiKey, products, whitelist }) => ({
		...{ apiKey, products, whitelist },
	}));
	return { ...settings, credentials };
}

/** API token: Base64 of `APIKey:APISecret` in UTF-8 (specification, Authentication 2). */
export function buildToken({ apiKey, apiSecret }: ApiCredential): string {
	return Buffer.from(`${apiKey}:${apiSecret}`, 'utf8').toString('base64');
}
