import type { IDataObject } from 'n8n-workflow';

import type { CodePlan, Entry, Person, Settings } from './world';

/** A code that the service has sent. */
export interface IssuedCode {
	id: string;
	/** Digits, or an email address. */
	phone: string;
	code: string;
	expiresAt: number;
	most: number;
	invalid: number;
	isUsed: boolean;
	request: CodeRequest;
}

/** A request for a code, or a check of one. */
export interface CodeRequest {
	kind: 'request' | 'check';
	attempt: CodeAttempt;
	/** Place of the item that the node worked on. */
	item: number;
	query: Record<string, unknown>;
	/** Milliseconds since 1970, and its place among all that happened. */
	at: number;
	order: number;
	endedAt?: number;
	endOrder?: number;
	/** From the header Retry-After. */
	retryAfterMs?: number;
	/** What the node got: a status or the code of a failure. */
	got?: number | string;
	plan?: CodePlan;
	issued?: IssuedCode;
	/** The ID in the response. */
	shownId?: string;
	/** The code that this check confirmed. */
	confirmed?: IssuedCode;
	/** What the response says: `yes` only with all that the specification has in a success. */
	says?: 'yes' | 'no' | 'unclear';
}

/** What an item means. */
export interface CodeItem {
	json: IDataObject;
	person: Person;
	entry?: Entry;
	/** The digits of the code; empty if nobody can read any. */
	digits: string;
}

export type CodeOutput = { json: IDataObject; pairedItem?: unknown; error?: unknown };

/** One run of a node. */
export interface CodeAttempt {
	node: 'OtpRequest' | 'OtpVerify';
	settings: Settings;
	/** Attempts with the same memory of the node: `visit`, or the page of one. */
	run: string;
	/** Whether n8n gave it the memory of the attempts of this run before. */
	hasMemory: boolean;
	process: string;
	items: CodeItem[];
	begunAt: number;
	order: number;
	endedAt?: number;
	endOrder?: number;
	state: 'running' | 'returned' | 'threw' | 'killed' | 'hung';
	outputs: CodeOutput[][];
	error?: Error & { description?: string };
	requests: CodeRequest[];
	/** What n8n saves of the node. */
	memory: string;
	/** Whether n8n went on with its output. */
	isFinal: boolean;
}

export interface CodeBook {
	attempts: CodeAttempt[];
	requests: CodeRequest[];
	codes: IssuedCode[];
	timersLeft: number;
	unhandled: string[];
}
