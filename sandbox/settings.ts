import { readFileSync } from 'node:fs';
import type { ApiCredential, Settings } from './entities';
import * as schemas from './inputSchemas';
import { settingsOf } from './service/deviations';
import { read } from './shapes';

export type { ApiCredential, Settings } from './entities';
/** How a delivery receipt carries its values (field note 10); all but `get` are a POST. */
export type ReceiptMethod = Settings['receiptMethod'];
/** Which flags must be the number 1 or 0: none, only `test` as observed (field note 2), or all. */
export type StrictFlags = Settings['strictFlags'];

export interface StartOptions extends Partial<Settings> {
	/** 0 (the default) selects a free port. */
	port?: number;
	host?: string;
	/** Accepted host names besides loopback and `host`, such as the name of a container. */
	allowedHosts?: string[];
	/** Receivers with a loopback or link-local address, with or without port: needed beyond loopback only. */
	allowedReceivers?: string[];
	/** For inbox and control API; by default, one is generated if the sandbox listens beyond loopback. */
	controlToken?: string;
	/** Shorthand for one unrestricted entry in `credentials`. */
	apiKey?: string;
	apiSecret?: string;
	/** JSON file with balance, numbers, messages and faults. */
	seedFile?: string;
}

const defaultSettings = Object.fromEntries(
	Object.entries(schemas.settings.shape).map(([name, one]) => [name, one.meta()?.['x-default']]),
) as Settings;
export const [demo] = defaultSettings.credentials as [ApiCredential];

export function isSettingName(name: string): boolean {
	return Object.hasOwn(defaultSettings, name);
}

function dropUndefined<T extends object>(object: T): Partial<T> {
	const given = Object.entries(object).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Partial<T>;
}

/** @throws WrongValue for a name that is not a setting, or a value that is not valid */
export function changeSettings(settings: Settings, changes: Partial<Settings>): Settings {
	const given = dropUndefined(read(schemas.settingChanges, changes, 'settings'));
	return { ...settings, ...settingsOf(given.deviate ?? []), ...given };
}

/** @throws WrongValue for a name that is not an option, or a value that is not valid */
export function readStartSettings(options: StartOptions, ofSeed: Partial<Settings> = {}): Settings {
	const all = { ...ofSeed, ...dropUndefined(options) };
	const given = read(schemas.startOptions, all, 'options');
	const { apiKey = demo.apiKey, apiSecret = demo.apiSecret } = given;
	const changes = Object.entries(given).filter(([name]) => isSettingName(name));
	const { credentials = [{ apiKey, apiSecret }] } = given;
	const implied = settingsOf(given.deviate ?? []);
	return { ...defaultSettings, ...implied, ...Object.fromEntries(changes), credentials };
}

/** The content of a seed file. */
export type Seed = ReturnType<typeof readSeedFile>;

/** @throws Error that names the file and the mistake in it */
export function readSeedFile(file: string | undefined) {
	try {
		const content: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
		const { balance, numbers, messages = [], faults = [] } = read(schemas.seed, content);
		return { settings: dropUndefined({ balance, numbers }), messages, faults };
	} catch (error) {
		throw nameSeedFile(file, error as Error);
	}
}

export function nameSeedFile(file: string | undefined, { message }: Error): Error {
	return new Error(`The seed file ${file} cannot be used: ${message}`);
}

/** @param surface any other than the three uses the status of `rest` */
export function readSuccessStatus({ successStatus }: Settings, surface: string): number {
	if (typeof successStatus === 'number') return successStatus;
	return new Map(Object.entries(successStatus)).get(surface) ?? successStatus.rest;
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
