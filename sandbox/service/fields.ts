import { refuseField } from './refusal';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readText(fields: Fields, name: string): string | undefined {
	const value = fields[name];
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value !== 'string') throw refuseField(`${toLabel(name)} must be a string.`);
	return value;
}

export function readRequiredText(fields: Fields, name: string): string {
	const text = readText(fields, name);
	if (text === undefined) throw refuseField(`${toLabel(name)} cannot be blank.`);
	return text;
}

/** `clientReference` as `Client Reference`: the service's spelling of fields in errors. */
export function toLabel(name: string): string {
	const words = name.replace(/([A-Z])/g, ' $1');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
