import type { IDataObject } from 'n8n-workflow';

import type { Moment } from '../world';

/** Sign-ins: people get codes and type them. As plain JSON; the same world gives the same story. */
export interface CodeWorld {
	kind: 'codes';
	seed: number;
	/** Options of OTP Request. */
	options: IDataObject;
	request: Settings;
	verify: Settings;
	/** Whether Must Belong To has an expression. */
	isExpected: boolean;
	service: CodeTraits;
	/** What the service does with its n-th request for a code, and with its n-th check; nothing special after the last. */
	requests: CodePlan[];
	checks: CodePlan[];
	visits: Visit[];
	/** When the clock of the machine is set, to so far ahead. None where a kept world is older. */
	clock?: Array<{ atMs: number; aheadMs: number }>;
}

export interface Settings {
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Retry On Fail; 1 is off. */
	tries: number;
	waitBetweenTries: number;
}

/** An execution: a page asks for codes, others check what people type. */
export interface Visit {
	atMs: number;
	process: number;
	people: Person[];
	pages: Page[];
	kill?: Moment;
	retries: number[];
}

export interface Person {
	/** As typed. */
	to: unknown;
	/** The recipient that it means; empty if it is wrong. */
	phone: string;
}

export interface Page {
	afterMs: number;
	process: number;
	entries: Entry[];
	kill?: Moment;
	/** Milliseconds before each retry by hand, of a failed or killed execution. */
	retries: number[];
}

export interface Entry {
	/** Place among the people of the visit. */
	person: number;
	/** Whose request ID the page has: strangers change it. */
	idOf: 'own' | 'other' | 'unknown';
	/** The newest of this phone, its first one, that of another phone, or a guess. */
	code: 'own' | 'earlier' | 'other' | 'wrong';
	notation: keyof typeof notations;
	/** Must Belong To. */
	expected: 'own' | 'other' | 'empty' | 'missing' | 'garbage';
}

export type CodeFailure = 'refused' | 'cut' | 'none' | 'cutBody' | 'garbage' | 'redirect' | number;
/** `odd`: a 2xx that is not a complete confirmation. `rejected`: a 2xx that rejects. */
export type CodeResponse = CodeFailure | 'usual' | 'odd' | 'rejected' | 'otherId';

export interface CodePlan {
	response: CodeResponse;
	/** Whether the service sends the code, or checks it, all the same. */
	acts: boolean;
	/** Which of the odd shapes. */
	shape: number;
	latencyMs: number;
}

/** Whether an odd response says itself that it is not a confirmation; another one is incomplete. */
export const isMarked = (shape: number): boolean => shape % 2 === 0;

/** How a service differs from others. */
export interface CodeTraits {
	id: 'number' | 'text' | 'long';
	number: 'usual' | 'plus' | 'national' | 'masked';
	status: 200 | 201;
	date: 'usual' | 'iso' | 'offset';
	/** Which harmless fields are added to a confirmation. */
	extra: number;
	/** How a wrong code is rejected. */
	rejects: number;
	/** Whether a code can be used again. */
	isReusable: boolean;
	/** What responses show that should stay secret. */
	shows: 'nothing' | 'code' | 'token';
}

/** How people type a code. */
export const notations = {
	plain: (code: string): unknown => code,
	spaced: (code: string) => ` ${code.slice(0, 2)} ${code.slice(2)}`,
	dashed: (code: string) => `${code.slice(0, 3)}\u2013${code.slice(3)}`,
	burmese: (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0x1040 + +digit)),
	wide: (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + +digit)),
	invisible: (code: string) => `\u200b${code.slice(0, 1)}\u200e${code.slice(1)}\u00a0`,
	quoted: (code: string) => `"${code}"`,
	prefixed: (code: string) => `G-${code}`,
	message: (code: string) => `${code} is your MyShop code.\nDon't share it.`,
	number: (code: string) => Number(code),
	short: (code: string) => code.slice(0, 3),
	double: (code: string) => `${code} or ${code.slice(0, -1)}${(+code.slice(-1) + 1) % 10}`,
	words: () => 'my code',
	missing: () => undefined,
};
/** Those that cost no attempt. */
export const unreadable: Array<keyof typeof notations> = [
	...(['number', 'short', 'double', 'words', 'missing'] as const),
];

export const plainPlan: CodePlan = { response: 'usual', acts: true, shape: 0, latencyMs: 210 };
export const plainSettings: Settings = {
	onError: 'stopWorkflow',
	tries: 1,
	waitBetweenTries: 1000,
};
export const plainCodeTraits: CodeTraits = {
	...{ id: 'number', number: 'usual', status: 201, date: 'usual', extra: 0, rejects: 0 },
	...{ isReusable: false, shows: 'nothing' },
};

/** What shrinking takes for nothing special. */
export const plainCodes: Record<string, unknown> = {
	...{ ...plainPlan, ...plainSettings, ...plainCodeTraits, isExpected: false, retries: [] },
	...{ notation: 'plain', expected: 'own', code: 'own', idOf: 'own', process: 0, afterMs: 20_000 },
};
