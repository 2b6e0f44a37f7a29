import type { IDataObject } from 'n8n-workflow';

import { beginning } from './clock';
import type { NodeName } from './process';

/** A world: everything that happens to a workflow, as plain JSON. The same world gives the same story. */
export interface World {
	/** For the randomness that our code uses, such as jitter. */
	seed: number;
	/** In milliseconds since 1970. */
	beginsAt: number;
	node: NodeName;
	rows: Row[];
	/** Rounds of a loop; each gets its part of the rows. */
	passes: number;
	/** Whether the text differs in each attempt, as with `$now`. */
	isTextChanging: boolean;
	options: IDataObject;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Retry On Fail; 1 is off. */
	tries: number;
	waitBetweenTries: number;
	/** Service Time Zone in the credential. */
	serviceTimeZone: string;
	service: Traits;
	/** Executed in the editor. */
	isManual: boolean;
	/** Whether the same messages, equal in all, were sent and delivered a day before. */
	yesterday: boolean;
	/** What the service does with the n-th send request; nothing special after the last. */
	sends: SendPlan[];
	/** The same for requests of message history. */
	reads: ReadPlan[];
	/** Times in which the service fails, besides. */
	outages: Outage[];
	executions: Start[];
	clock: ClockSetting[];
}

/** An item of the input. */
export interface Row {
	/** As people write it; several are separated by commas. */
	to: string;
	/** The phone numbers that it means, in digits; none if it is wrong. */
	numbers: string[];
	text: string;
	ref?: string;
	/** Its sender ID; the usual one if absent. */
	from?: string;
}

/** `garbage` is a page, `text` a success without JSON. */
export type Failure = 'refused' | 'cut' | 'none' | 'garbage' | 'text' | 'redirect' | number;
export type Response = Failure | 'records' | 'cutBody' | 'withoutIds' | 'part' | 'shuffled';

export interface SendPlan {
	accepts: 'all' | 'some' | 'none';
	/** Milliseconds from the request to its acceptance. */
	acceptsAfterMs: number;
	/** Milliseconds from acceptance until history lists the messages. */
	listsAfterMs: number;
	/** Only the first message of a request; the others more than a minute later. */
	isListedInParts: boolean;
	response: Response;
	/** Header Retry-After, in seconds. */
	retryAfter?: number;
	latencyMs: number;
	/** For how many requests this holds. */
	times: number;
}

export interface ReadPlan {
	response: Failure | 'records';
	retryAfter?: number;
	latencyMs: number;
	times: number;
}

export type NumberForm = 'usual' | 'plus' | 'national' | 'masked' | 'bare' | 'short' | 'missing';

/** How a service differs from others. */
export interface Traits {
	/** Offset of the times that it writes. */
	zoneMinutes: number;
	/** How far its clock is ahead. */
	clockMs: number;
	/** Whether responses have the header Date. */
	hasDate: boolean;
	createdAt: 'usual' | 'missing' | 'iso' | 'offset';
	order: 'newest' | 'oldest' | 'mixed';
	/**
	 * Pages from 0; 20 records although `limit` says more; 20 as `limit` says; the last page again after it; always the
	 * first page; each record twice.
	 */
	paging: 'usual' | 'fromZero' | 'twenty' | 'capped' | 'clamped' | 'stuck' | 'twins';
	filters: 'usual' | 'ignored';
	/** In history. */
	number: NumberForm;
	/** In responses to sends. */
	responseNumber: NumberForm;
	responseOrder: 'usual' | 'reversed';
	/** In responses to sends. */
	responseText: 'usual' | 'other';
	text: 'usual' | 'trimmed' | 'cut' | 'escaped' | 'lineFeeds' | 'other';
	sender: 'usual' | 'upper' | 'other';
	reference: 'usual' | 'trimmed' | 'number' | 'lower' | 'missing';
	/** What stands for a missing reference; `own`: one that the service makes up. */
	noReference: 'null' | 'empty' | 'own';
	/** How history writes the IDs of responses. */
	ids: 'usual' | 'upper';
	listsScheduled: boolean;
	/** How it rejects a message with a forbidden text: the whole request by its status, or its record. */
	rejects: 'byStatus' | 'inWords' | 'withData' | 'inStatus';
	/** What it says then. */
	words: string;
	/** Messages of others in the history of the last day, and those that come within half a minute. */
	older: number;
	newer: number;
}

/** All requests of a kind fail, whichever execution makes them. */
export interface Outage {
	fromMs: number;
	forMs: number;
	of: 'all' | 'sends' | 'reads';
	response: Failure;
}

/** The clock of the machine that n8n runs on is set: from then on it is so far ahead. */
export interface ClockSetting {
	atMs: number;
	aheadMs: number;
}

/** An execution, and what people do with it. */
export interface Start {
	atMs: number;
	/** Another workflow can have the same texts. */
	workflow: 'A' | 'B';
	process: number;
	kind: 'plain' | 'dryRun' | 'tool';
	/** An earlier step fails at first, so that retries bring the input again. */
	failsBefore: boolean;
	/** Stops the execution so long after the start of its n-th request. */
	stop?: Moment;
	/** Kills the process. */
	kill?: Moment;
	retries: Retry[];
}

export interface Moment {
	request: number;
	afterMs: number;
}

/** A retry by hand. */
export interface Retry {
	of: 'original' | 'last';
	/** Milliseconds after the one before has ended. */
	waitMs: number;
	/** Together with the one before. */
	isAtOnce: boolean;
	process: number;
	input: 'same' | 'reordered' | 'more' | 'fewer' | 'otherTexts';
	isOtherAccount: boolean;
}

/** Responses after which a request may be acted on for two minutes; after the others, for one. */
export const timeOuts: ReadonlyArray<unknown> = ['none', 408, 504, 522, 524];
/** A rejection of a whole bulk request, which may be about one of its messages. */
export const rejections: ReadonlyArray<unknown> = [400, 413, 422];
/** The same, and what a service can say once it has accepted the first messages of a bulk request. */
export const partlyAccepted: ReadonlyArray<unknown> = [...rejections, 402, 403, 429];

export const plainSend: SendPlan = {
	accepts: 'all',
	acceptsAfterMs: 0,
	listsAfterMs: 0,
	isListedInParts: false,
	response: 'records',
	latencyMs: 200,
	times: 1,
};

export const plainRead: ReadPlan = { response: 'records', latencyMs: 100, times: 1 };

export const plainRetry: Retry = {
	of: 'last',
	waitMs: 90_000,
	isAtOnce: false,
	process: 0,
	input: 'same',
	isOtherAccount: false,
};

export const plainStart: Start = {
	atMs: 0,
	workflow: 'A',
	process: 0,
	kind: 'plain',
	failsBefore: false,
	retries: [],
};

export const plainTraits: Traits = {
	zoneMinutes: 390,
	clockMs: 0,
	hasDate: true,
	createdAt: 'usual',
	order: 'newest',
	paging: 'usual',
	filters: 'usual',
	number: 'usual',
	responseNumber: 'usual',
	responseOrder: 'usual',
	responseText: 'usual',
	text: 'usual',
	sender: 'usual',
	reference: 'usual',
	noReference: 'null',
	ids: 'usual',
	listsScheduled: true,
	rejects: 'byStatus',
	words: 'Message contains a forbidden word',
	older: 0,
	newer: 0,
};

export const plainWorld: Omit<World, 'rows'> = {
	seed: 1,
	beginsAt: beginning,
	node: 'SmsSend',
	passes: 1,
	isTextChanging: false,
	options: {},
	onError: 'stopWorkflow',
	tries: 1,
	waitBetweenTries: 1000,
	serviceTimeZone: 'Asia/Yangon',
	service: plainTraits,
	yesterday: false,
	isManual: false,
	sends: [],
	reads: [],
	outages: [],
	executions: [plainStart],
	clock: [],
};

/** The plan of the n-th request, from 0. */
export function planOf<T extends { times: number }>(plans: T[], n: number, plain: T): T {
	let before = 0;
	return plans.find(({ times }) => (before += times) > n) ?? plain;
}

/** The rows of one round of the loop. */
export function rowsOfPass(rows: Row[], pass: number, passes: number): Row[] {
	const size = Math.ceil(rows.length / passes);
	return rows.slice(pass * size, (pass + 1) * size);
}

/** Fills in what a world leaves out because it is plain. */
export function complete(world: Partial<World>): World {
	const { service, sends = [], reads = [], executions = plainWorld.executions, rows = [] } = world;
	return {
		...plainWorld,
		...world,
		rows,
		service: { ...plainTraits, ...service },
		sends: sends.map((one) => ({ ...plainSend, ...one })),
		reads: reads.map((one) => ({ ...plainRead, ...one })),
		executions: executions.map(({ retries = [], ...start }) => ({
			...{ ...plainStart, ...start },
			retries: retries.map((one) => ({ ...plainRetry, ...one })),
		})),
	};
}
