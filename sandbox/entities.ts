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
	/** Number of the request it came by; 0 when that was before the start. */
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
	/** One address or several, as it stands in the mail. */
	to: string;
	subject: string;
	text: string;
	createdAt: string;
	createdAtMs: number;
	/** Counts what was issued, messages, codes and mails together. */
	mark: number;
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
}

/** A request that the service acts on at a time of the sandbox's clock, long after it was answered. */
export interface LateAct {
	id: string;
	dueMs: number;
	request: ServiceRequest;
}

/** What the service answers. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	/** In pieces, since it can be long: together they are the text. */
	body: string[];
	/** Why it was refused, for people: more than the service says. */
	reason?: string;
	/** What was ignored in the request. */
	notes?: string[];
}

/** Tells what has changed, to whoever shows or keeps it. */
export type Change =
	/** New ones, of one request together. */
	| { kind: 'messages'; messages: StoredMessage[] }
	| { kind: 'message'; message: StoredMessage }
	| { kind: 'code'; otp: StoredOtp }
	| { kind: 'mail'; mail: StoredMail }
	| { kind: 'lateAct'; act: LateAct }
	| { kind: 'acted'; id: string }
	| { kind: 'balance' }
	| { kind: 'clock' }
	| { kind: 'settings' }
	| { kind: 'request' }
	| { kind: 'clear' }
	| { kind: 'reset' };
