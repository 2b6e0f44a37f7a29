import type { IDataObject } from 'n8n-workflow';

import type { ReadPlan, Row, SendPlan } from './world';

/** A message that the service has accepted. */
export interface Stored {
	id: string;
	to: string;
	text: string;
	from: string;
	ref: string | null;
	scheduledAt: string | null;
	isTest: boolean;
	/** History shows its ciphertext. */
	isEncrypted: boolean;
	/** In milliseconds since 1970, by the true clock. */
	createdAt: number;
	listedAt: number;
	account: string;
	request: Request;
}

/** A message in history, also of a day before. */
export type Listed = Omit<Stored, 'request'>;

/** A request as it comes. */
export interface Call {
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	account: string;
	request: Request;
}

/** `code`: no response. `isCut`: the connection ends within the body. `isSilent`: no response, ever. */
export type Reply =
	| { code: string }
	| { isSilent: true }
	| { status: number; headers: Record<string, string>; text: string; isCut?: boolean };

/** A request to the service. */
export interface Request {
	attempt: Attempt;
	kind: 'send' | 'read';
	at: number;
	endedAt?: number;
	/** Phone numbers of the messages in it. */
	numbers: string[];
	plan?: SendPlan | ReadPlan;
	/** Messages that the service accepted or will accept. */
	stored: Stored[];
	/** What the node got: a status or the code of a failure. */
	got?: number | string;
	retryAfterMs?: number;
	/** Our messages that a page of history could show. */
	shown?: number;
}

export type Item = { json: IDataObject; pairedItem?: unknown };

/** One run of a node: a try of Retry On Fail in an execution. */
export interface Attempt {
	/** All retries of one execution; its place in the world. */
	family: number;
	/** The execution within the family: 0 is the original. */
	execution: number;
	pass: number;
	try: number;
	process: string;
	apiKey: string;
	kind: 'plain' | 'dryRun' | 'tool';
	isRetry: boolean;
	/** Whether n8n gave it the memory of the attempts before. */
	hasMemory: boolean;
	rows: Row[];
	/** Texts of the rows as they were evaluated. */
	texts: string[];
	begunAt: number;
	endedAt?: number;
	stoppedAt?: number;
	state: 'running' | 'returned' | 'threw' | 'killed' | 'hung';
	items: Item[];
	error?: { message: string; description: string };
	hints: string[];
	requests: Request[];
	/** Ledger entries that are left in the memory of the node. */
	kept: number;
}

/** All that happened in a world. */
export interface Book {
	attempts: Attempt[];
	requests: Request[];
	/** In the order of their acceptance. */
	stored: Stored[];
	/** Timers of our code that are left after the last attempt. */
	timersLeft: number;
	/** Rejections of promises that nobody handled. */
	unhandled: string[];
}
