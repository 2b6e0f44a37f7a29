/** The three surfaces of the service; an API key can be limited to some of them (field note 6). */
export type Surface = 'rest' | 'otp' | 'http';

/** Message record of the specification; with `encryptMessage`, `message` is encrypted. */
export interface MessageRecord {
	messageId: string;
	message: string;
	to: string;
	clientReference: string | null;
	scheduledAt: string | null;
	createdAt: string;
	messageCount: number;
	from: string;
	network: string;
	type: string;
	status: string;
	test: boolean;
	encryptMessage?: true;
}

/** A status of a message, and its time in milliseconds after the message was created. */
export interface StatusChange {
	status: string;
	afterMs: number;
}

/** A planned status of a message, and the receipts to post when it is reached. */
export interface StatusStep extends StatusChange {
	receipts: StatusChange[];
}

/** The outcome of a delivery receipt after its last attempt. */
export interface ReportedStatus {
	status: string;
	/** HTTP status of the receiver's last response; null if it did not respond. */
	answered: number | null;
}

/** A message as stored. The encryption key is not stored: the service returns it only once. */
export interface StoredMessage extends MessageRecord {
	finishedAt: string | null;
	createdAtMs: number;
	/** Sequence number, shared by messages, codes and mails. */
	mark: number;
	/** Time from which message history lists it, by the sandbox's clock. */
	listedFromMs: number;
	deliveryReceiptUrl: string | null;
	/** Path of its request without the base: /rest/send, /rest/send/bulk, /http/send. */
	sentBy: string;
	encoding: 'GSM-7' | 'UCS-2';
	/** Number of its request; 0 if it was seeded. */
	requestNumber: number;
	/** Amount deducted for it, in the currency of the balance. */
	price: number;
	/** Statuses so far, Accepted first. Messages share this list and the next three: never change them in place. */
	statuses: StatusChange[];
	/** Status steps still to come, in order. */
	steps: StatusStep[];
	/** Receipts that are due or in flight. */
	owed: StatusChange[];
	/** Receipts that are finished. */
	reported: ReportedStatus[];
}

export type OtpState = 'valid' | 'verified' | 'expired' | 'blocked';

/** A one-time code as stored, in plain text. */
export interface StoredOtp {
	/** Nine digits; with `largeRequestIds` 18 digits, as a string. */
	requestId: number | string;
	channel: 'SMS' | 'EMAIL';
	to: string;
	brand: string;
	from: string;
	code: string;
	/** The text that contains the code. */
	message: string;
	createdAt: string;
	expireAt: string;
	createdAtMs: number;
	/** Sequence number, shared by messages, codes and mails. */
	mark: number;
	expiresAtMs: number;
	maxInvalidAttempts: number;
	invalidAttempts: number;
	verifiedAt: string | null;
}

/** A mail that was handed in (`addMail`). */
export interface StoredMail {
	mailId: string;
	from: string;
	/** One or more addresses, as written in the mail. */
	to: string;
	subject: string;
	text: string;
	/** Present only if the mail has HTML. */
	html?: string;
	createdAt: string;
	createdAtMs: number;
	/** Sequence number, shared by messages, codes and mails. */
	mark: number;
}

/** What happens to messages and codes for a phone number. `README.md` of the sandbox lists the special numbers. */
export interface Behaviour {
	/** Statuses after Accepted, in order. */
	statuses: string[];
	/** Factor for the time between two steps; default 1. */
	paceFactor?: number;
	/** Default `once`. `reversed`: no receipt until the last step, then all of them, newest first. */
	receipts?: 'once' | 'twice' | 'none' | 'reversed';
	/** `inBody`: a 2xx whose record has status false (field note 3); `byStatus`: a 400. */
	refusal?: 'inBody' | 'byStatus';
	/** Extra delay before the service acts and responds, in milliseconds. */
	answerDelayMs?: number;
	/** Completes all steps and their receipts before the send response. */
	isEarly?: boolean;
}

/** One attempt to post a delivery receipt. */
export interface SentReceipt {
	/** Start of the attempt, its time in the queue included: milliseconds since 1970 (UTC), by the machine's clock. */
	at: number;
	messageId: string;
	status: string;
	url: string;
	/** HTTP status of the receiver; null if it did not respond. */
	answered: number | null;
	/** Recipient of the message. */
	to: string;
	/** 1 for the first attempt. */
	attempt: number;
	/** Milliseconds from the time the receipt was due to the end of this attempt. */
	lateMs: number;
}

/** A request as the service receives it. */
export interface ServiceRequest {
	/** Counts from 1 since the start or the last clear; with a data folder, after the highest number stored. */
	number: number;
	method: string;
	/** As received, without the query: /api/rest/send */
	path: string;
	/** Decoded; the last value of a repeated parameter. */
	query: Record<string, string>;
	/** Names of repeated parameters. */
	repeated?: string[];
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Parsed if it is JSON, otherwise the text as received. */
	body: unknown;
	ipAddress: string;
	/** Base URL of the service, with the scheme and host name that the client used, or `linksBaseUrl`. */
	baseUrl: string;
}

/** A request that the service acts on later (sandbox's clock), after its response (`when: 'later'`). */
export interface LateAct {
	id: string;
	dueMs: number;
	request: LoggedRequest;
}

/** A response of the service. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
	/** Why it was rejected, in more detail than the service returns. */
	reason?: string;
	/** Fields and repeated parameters of the request that were ignored. */
	notes?: string[];
}

/** A request that reached a path of the service, with its response. Holds credentials. */
export interface LoggedRequest extends ServiceRequest {
	/** Milliseconds since 1970 (UTC), by the machine's clock. */
	at: number;
	/** The same time by the sandbox's clock. */
	clockMs: number;
	/** rest, otp or http; empty for any other path. */
	surface: string;
	/** As received, without the question mark. */
	rawQuery: string;
	/** Length of its URL and body, in characters. */
	bytes: number;
	/** `open` while in flight; `cut` and `hung` by a fault; `gone` if the client disconnected first. */
	statusAnswered: number | 'open' | 'cut' | 'hung' | 'gone';
	/** The beginning of the response body. */
	answer?: string;
	/** Why the service rejected it, in more detail than the response. */
	reason?: string;
	/** Fields and repeated parameters that the service ignored. */
	notes?: string[];
	/** Status of the service when it acted later (`when: 'later'`). */
	statusOfLateAct?: number;
	/** Description of the fault that was applied. */
	fault?: string;
}

/**
 * - `cut`: the connection is destroyed without a response
 * - `hang`: no response; the connection stays open until the client closes it or the sandbox is cleared,
 *   reset or closed
 * - `brokenJson`: the JSON ends in the middle
 * - `cutBody`: the connection is destroyed in the middle of the body
 * - `status`: this status, with `headers` and `body` (a string unchanged, anything else as JSON; default: the
 *   service's error body)
 * - `redirect`: a 302, or `status`, to `location`
 * - `slowMs`: the real response, delayed by this many milliseconds
 * - `echo`: an error body (500, or `status`) that repeats the request: URL with accessToken, headers, body
 */
export type FaultEffect =
	| 'cut'
	| 'hang'
	| 'brokenJson'
	| 'cutBody'
	| 'echo'
	| { status: number; headers?: Record<string, string>; body?: unknown }
	| { redirect: Redirect }
	| { slowMs: number }
	| { echo: { status: number } };

interface Redirect {
	location: string;
	status?: number;
}

export interface FaultRule {
	/** Default: every request. */
	match?: {
		/** With or without /api; exact, or a prefix when it ends in `*`. */
		path?: string;
		method?: string;
		/** Text in the decoded query or the body. */
		contains?: string;
	};
	/**
	 * `before` (default): the service does not act, except with `slowMs`. `after`: the service acts, then the
	 * effect applies. `later`: the effect applies at once, and the service acts `laterMs` after the request.
	 */
	when?: 'before' | 'after' | 'later';
	/** Required with `later`, and only allowed there: milliseconds, by the sandbox's clock. */
	laterMs?: number;
	effect: FaultEffect;
	/** 0 to 1, drawn from the seeded generator; default 1. */
	probability?: number;
	/** Number of matching requests that pass first; default 0. */
	skip?: number;
	/** Number of requests the fault applies to; default: no limit. */
	count?: number;
}

/** A fault rule with its counts: requests that matched (`seen`) and requests it was applied to (`hits`). */
export interface ActiveFault {
	rule: FaultRule;
	seen: number;
	hits: number;
}
