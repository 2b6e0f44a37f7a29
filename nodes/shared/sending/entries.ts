import type { IDataObject } from 'n8n-workflow';

import { isUnknown, ServiceError } from '../client/failure';
import { InputError } from '../input/InputError';
import { isOfWholeRun, reasonOf } from '../n8n/errors';
import { type Message, outcomeOf } from './message';
import { type Result, resultOf } from './report';

/** What became, or in a dry run would become, of one message. */
export interface Entry {
	item: number;
	to?: unknown;
	result: Result;
	/** A person must correct its row. */
	isWrong?: boolean;
	/** Why it is not sent, in words that equal entries share. */
	cause?: string;
	parts?: number;
	request?: { message: string; from: string; encrypt?: unknown };
	looks?: string[];
}

export function toCause(error?: unknown, earlier?: IDataObject): string | undefined {
	// People who see no n8n need neither codes nor names of options.
	if (error instanceof ServiceError) {
		const reason = reasonOf(error.with({ to: undefined })).replace(/ \((HTTP \d+|[A-Z_]+)\)$/, '');
		return isUnknown(error)
			? `${reason}. Look for it in SMS History before you send it again`
			: reason;
	}
	if (error instanceof InputError) {
		const { facts, hint, message } = error;
		if (facts.isOfRun) return `${message}. ${hint}`;
		const fault = (facts.fault ?? message).replace(/^To /, 'The number ');
		return fault.replace(/\{\{ *\$json\.(\S+) *\}\}/, '$1');
	}
	const day = /^\d{4}-\d\d-\d\d/.exec(String(earlier?.createdAt))?.[0];
	return error instanceof Error ? error.message : day && `sent on ${day}`;
}

/** Of a fault, as `explain` returns it. */
export function toFaultEntry(error: unknown): Pick<Entry, 'isWrong' | 'cause'> {
	const isWrong = error instanceof InputError && !isOfWholeRun(error);
	return { isWrong, cause: toCause(error) };
}

/** @param held why messages without an outcome were not sent */
export function toEntry(message: Message, held: unknown): Entry {
	const { item, to, draft } = message;
	const outcome = outcomeOf(message);
	const record = outcome instanceof Error ? undefined : outcome;
	const why = outcome ?? (message.skipped ? undefined : (held ?? new Error('The run was stopped')));
	const cause =
		why instanceof Error
			? toCause(why)
			: record?.alreadySent && toCause(undefined, record as IDataObject);
	return {
		...{ item, to, result: resultOf(message), request: draft?.request },
		parts: draft?.charge.parts ?? Number(record?.messageCount ?? 0),
		...(typeof cause === 'string' && { cause }),
	};
}
