/** What the sandbox keeps and passes on: data only. */

/** The three surfaces of the service; an API key can be limited to some of them (field note 6). */
export type Surface = 'rest' | 'otp' | 'http';

/** Message record of the specification; a stored `message` of an encrypted send is encrypted. */
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

/** A status of a message, and when it came: milliseconds after the message was created. */
export interface StatusChange {
	status: string;
	afterMs: number;
}

/** One step of a message: from then on it has `status`, and the receipts of these changes go out. */
export interface StatusStep extends StatusChange {
	receipts: StatusChange[];
}

/** A receipt that was answered, or given up. */
export interface ReportedStatus {
	status: string;
	/** HTTP status that the receiver answered last; null when it did not answer. */
	answered: number | null;
}

/** A message as the sandbox keeps it. The encryption key is not kept (it is returned once). */
export interface StoredMessage extends MessageRecord {
	finishedAt: string | null;
	createdAtMs: number;
	/** Counts what was issued, messages, codes and mails together. */
	mark: number;
	/** The sandbox's time from which history lists it. */
	listedFromMs: number;
	deliveryReceiptUrl: string | null;
	/** Path it came by, without the base: /rest/send, /rest/send/bulk, /http/send. */
	sentBy: string;
	encoding: 'GSM-7' | 'UCS-2';
	/** Number of the request it came by; 0 when it was seeded. */
	requestNumber: number;
	/** What was deducted for it. */
	price: number;
	/** Statuses so far: the first is Accepted. This list and the next three are shared among messages. */
	statuses: StatusChange[];
	/** Status steps still to come, in order. */
	steps: StatusStep[];
	/** Receipts that are to be posted or being posted. */
	owed: StatusChange[];
	/** Statuses reported so far. */
	reported: ReportedStatus[];
}

export type OtpState = 'valid' | 'verified' | 'expired' | 'blocked';

/** A code as the sandbox keeps it, in clear. */
export interface StoredOtp {
	/** Nine digits; a text where a number would lose digits (`largeRequestIds`). */
	requestId: number | string;
	channel: 'SMS' | 'EMAIL';
	to: string;
	brand: string;
	from: string;
	code: string;
	/** The text that carried the code. */
	message: string;
	createdAt: string;
	expireAt: string;
	createdAtMs: number;
	/** Counts what was issued, messages, codes and mails together. */
	mark: number;
	expiresAtMs: number;
	maxInvalidAttempts: number;
	invalidAttempts: number;
	verifiedAt: string | null;
}

/** A mail that a mail server has handed in. */
export interface StoredMail {
	mailId: string;
	from: string;
	/** One or more addresses, as written in the mail. */
	to: string;
	subject: string;
	text: string;
	/** Where the mail has any. */
	html?: string;
	createdAt: string;
	createdAtMs: number;
	/** Counts what was issued, messages, codes and mails together. */
	mark: number;
}

/** What happens to messages (and codes) for a number. `README.md` in the sandbox folder lists the special ones. */
export interface Behaviour {
	/** Statuses after Accepted, in order. */
	statuses: string[];
	/** Steps take this many times the pace. */
	paceFactor?: number;
	/** `reversed`: nothing until the last step, then all receipts, newest first. */
	receipts?: 'once' | 'twice' | 'none' | 'reversed';
	/** `inBody`: a 2xx whose record has status false (field note 3); `byStatus`: a 400. */
	refusal?: 'inBody' | 'byStatus';
	/** The answer of the service itself takes this long. */
	answerDelayMs?: number;
	/** All steps are taken, and their receipts answered, before the send is answered. */
	isEarly?: boolean;
}

/** One attempt to hand over a delivery receipt. */
export interface SentReceipt {
	/** Milliseconds since 1970 (UTC), the machine's clock. */
	at: number;
	messageId: string;
	status: string;
	url: string;
	/** HTTP status of the receiver; null when it did not answer. */
	answered: number | null;
	/** To whom the message is. */
	to: string;
	/** 1 for the first try. */
	attempt: number;
	/** Milliseconds from when it was due to when this attempt ended. */
	lateMs: number;
}

/** A request as the service takes it. */
export interface ServiceRequest {
	/** 1 for the first since the start. */
	number: number;
	method: string;
	/** As it came, without the query: /api/rest/send */
	path: string;
	/** Decoded; of a repeated parameter the last one. */
	query: Record<string, string>;
	/** Parameters that came more than once. */
	repeated?: string[];
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Parsed when it is JSON, else the text as it came. */
	body: unknown;
	ipAddress: string;
	/** Of the service, by the name and scheme that the client used. */
	baseUrl: string;
}

/** A request that the service acts on at a time of the sandbox's clock, long after it was answered. */
export interface LateAct {
	id: string;
	dueMs: number;
	request: LoggedRequest;
}

/** What the service responds. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
	/** Why it was rejected, for people: more than the service says. */
	reason?: string;
	/** What was ignored in the request. */
	notes?: string[];
}

/** A request that reached a path of the service, with its response. Holds credentials. */
export interface LoggedRequest extends ServiceRequest {
	/** Milliseconds since 1970 (UTC), the machine's clock. */
	at: number;
	/** The same by the sandbox's clock. */
	clockMs: number;
	/** rest, otp or http; empty for any other path. */
	surface: string;
	/** As it came, without the question mark. */
	rawQuery: string;
	/** Length of its URL and body. */
	bytes: number;
	/** `open` while in flight; `cut` and `hung` by a fault; `gone` when the client left first. */
	statusAnswered: number | 'open' | 'cut' | 'hung' | 'gone';
	/** The beginning of the response, as it was written. */
	answer?: string;
	/** Why the service rejected it, for people. */
	reason?: string;
	/** What the service ignored in it. */
	notes?: string[];
	/** The status of the service when it acted later (`when: 'later'`). */
	statusOfLateAct?: number;
	/** The fault that hit it, in words. */
	fault?: string;
}

/**
 * - `cut`: the connection is destroyed without an answer
 * - `hang`: never an answer; the connection stays open until the client leaves
 * - `brokenJson`: the JSON ends in the middle
 * - `cutBody`: the connection is destroyed in the middle of the body
 * - `status`: this status, with `headers` and `body` (a string as it is, anything else as JSON; the
 *   service's error body when left out)
 * - `redirect`: a 302, or its `status`, to `location`
 * - `slowMs`: the real answer, so much later
 * - `echo`: an error body (500, or its `status`) that repeats the request: URL with accessToken, headers,
 *   body
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
	/** Everything when left out. */
	match?: {
		/** With or without /api; exact, or a prefix when it ends in `*`. */
		path?: string;
		method?: string;
		/** Text in the decoded query or the body. */
		contains?: string;
	};
	/**
	 * `before` (default): the service does nothing. `after`: it acts, and the answer is lost. `later`: the
	 * effect comes at once, and the service acts `laterMs` after the request came.
	 */
	when?: 'before' | 'after' | 'later';
	/** With `later`, and only with it: milliseconds of the sandbox's clock. */
	laterMs?: number;
	effect: FaultEffect;
	/** 0 to 1, drawn from the seeded generator; 1 when left out. */
	probability?: number;
	/** Let this many matching requests pass first. */
	skip?: number;
	/** Fail so many, then recover; for ever when left out. */
	count?: number;
}

/** A fault rule, with how often it was seen and hit. */
export interface ActiveFault {
	rule: FaultRule;
	seen: number;
	hits: number;
}
