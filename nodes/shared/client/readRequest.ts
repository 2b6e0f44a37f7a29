import { declareError } from '../validation/InputError';
import { isRecord, parseJson } from './json';

/** The parts of a request that can name a recipient. `form` and `formData` come from n8n's HTTP Request node. */
export type RequestParts = {
	[part in 'headers' | 'qs' | 'body' | 'form' | 'formData']?: unknown;
};

interface ReadRequest {
	/** Copies of the parts, so that the request sends what was read. */
	parts: RequestParts;
	/** A value for each field `to`; null for a message without one. */
	recipients: unknown[];
}

/** Deeper than any request of the service. */
const mostLevels = 10;

const unreadable = declareError(
	'Not sent: the credential has Only Send To, and the request cannot be checked',
	'Send the body as JSON fields or form fields, not as a file or multipart form, or use another credential.',
);

/** A list, or an object without a class, of this or another realm. */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	const isBare = prototype === null || Object.getPrototypeOf(prototype) === null;
	return (Array.isArray(value) || isBare) && !('toJSON' in value);
}

/** A copy of plain data. @throws InputError for anything else, such as a stream or a getter */
function copyPlain(value: unknown, levels = mostLevels): unknown {
	if (value === null || !['object', 'function', 'symbol', 'bigint'].includes(typeof value)) {
		return value;
	}
	if (typeof value !== 'object' || levels === 0 || !isPlain(value)) throw unreadable('body');
	const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
		.filter(([, { enumerable }]) => enumerable)
		.map(([name, field]) => {
			if (!('value' in field)) throw unreadable('body');
			return [name, copyPlain(field.value, levels - 1)] as const;
		});
	if (!Array.isArray(value)) return Object.fromEntries(fields);
	if (fields.length !== value.length) throw unreadable('body');
	return fields.map(([, entry]) => entry);
}

function copyFields(value: unknown): Record<string, unknown> | undefined {
	const copy = copyPlain(value) ?? undefined;
	if (copy !== undefined && !isRecord(copy)) throw unreadable('body');
	return copy;
}

const typeNames = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** How the service reads a body; `undefined` without the header. @throws InputError for any other type or encoding */
function readType(headers: Record<string, unknown>): keyof typeof typeNames | undefined {
	const valuesOf = (name: string) =>
		Object.entries(headers).flatMap(([header, value]) =>
			header.trim().toLowerCase() === name && value !== undefined ? [value] : [],
		);
	const [type, ...others] = valuesOf('content-type');
	if (others.length > 0 || valuesOf('content-encoding').length > 0) throw unreadable('body');
	if (type === undefined) return undefined;
	const named = /^\s*application\/(json|x-www-form-urlencoded)\s*(;\s*charset="?utf-8"?\s*)?$/i;
	const [, found] = named.exec(String(type)) ?? [];
	if (found === undefined) throw unreadable('body');
	return found.toLowerCase() === 'json' ? 'json' : 'form';
}

/** Some servers also separate fields by semicolons. */
function readForm(text: string): unknown[] {
	const fields = [...new URLSearchParams(text.replaceAll(';', '&'))];
	return fields.map(([name, value]) => ({ [name]: value }));
}

/** JSON is written again, because a repeated key has two values, and services differ in which they use. */
function readText(text: string, headers: Record<string, unknown>) {
	const given = readType(headers);
	const json = given === 'form' ? undefined : parseJson(text);
	if (json === undefined && given === 'json') throw unreadable('body');
	const type = json === undefined ? 'form' : 'json';
	return {
		headers: given === undefined ? { ...headers, 'Content-Type': typeNames[type] } : headers,
		body: json === undefined ? text : JSON.stringify(json),
		fields: json ?? readForm(text),
	};
}

/** `to[0]`, `TO` and `messages[0][to]` can mean the field `to` as well. */
function toWords(name: string): string[] {
	return name
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word !== '');
}

function* findRecipients(data: unknown, path: string[] = []): Generator<unknown> {
	const isMessage = path.at(-1) === 'messages';
	if (typeof data !== 'object' || data === null) {
		if (data !== undefined && (isMessage || path.includes('to'))) yield data;
		return;
	}
	const names = Object.keys(data);
	const isForNobody = !names.some((name) => toWords(name).includes('to'));
	if (isMessage && !Array.isArray(data) && isForNobody) yield null;
	for (const [name, value] of Object.entries(data)) {
		yield* findRecipients(value, [...path, ...toWords(name)]);
	}
}

const isAbsent = (part: unknown) => part === undefined || part === null || part === '';

export function hasBody({ body, form, formData }: RequestParts): boolean {
	return ![body, form, formData].every(isAbsent);
}

/**
 * Reads a request from outside these nodes, such as one of n8n's HTTP Request node.
 * @throws InputError unless all of it is plain data, JSON or a form
 */
export function readRequest({ search }: URL, request: RequestParts): ReadRequest {
	const headers = copyFields(request.headers) ?? {};
	const [qs, form] = [copyFields(request.qs), copyFields(request.form)];
	if (!isAbsent(request.formData)) throw unreadable('body');
	if (hasBody(request)) readType(headers);
	const isText = typeof request.body === 'string' && request.body !== '';
	const body = copyPlain(request.body);
	const text = isText ? readText(String(body), headers) : { headers, body, fields: body };
	const read = [readForm(search), qs, form, text.fields];
	return {
		parts: { headers: text.headers, qs, body: text.body, form, formData: undefined },
		recipients: read.flatMap((fields) => [...findRecipients(fields)]),
	};
}
