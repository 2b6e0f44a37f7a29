/** Fields and values as the service spells them ("Endpoints"). */

/** Fields of a send request. A flag is 1 when on, and absent when off: the client writes it as the account expects it. */
export interface SendRequest {
	to: string;
	message: string;
	/** Sender ID, case-sensitive. */
	from: string;
	/** `YYYY-MM-DD HH:MM:SS`. */
	scheduledAt?: string;
	encrypt?: 1;
	encryptKey?: string;
	unicode?: 1;
	test?: 1;
	deliveryReceiptUrl?: string;
	/** At most 50 characters (field note 8). */
	clientReference?: string;
}

/** The fields that options fill (`sentAs`). */
export type OptionalFields = Omit<SendRequest, 'to' | 'message' | 'from' | 'scheduledAt'>;

export interface BulkMessage extends Omit<SendRequest, 'to'> {
	to: string[];
}

/** A message record as returned. Only the fields that this package reads are declared. */
export interface MessageRecord {
	messageId?: string;
	to?: string;
	message?: string;
	from?: string;
	clientReference?: string | null;
	/** `YYYY-MM-DD HH:MM:SS`; the specification names no time zone. */
	createdAt?: string;
	/** Text, or `false` for a rejection inside a 2xx (field note 3). */
	status?: unknown;
	[field: string]: unknown;
}

export const pageSizes = [20, 50, 100, 500, 1000] as const;
export type PageSize = (typeof pageSizes)[number];

export interface HistoryFilters {
	/** `YYYY-MM-DD`, as the other one. */
	filterByCreatedDateFrom?: string;
	filterByCreatedDateTo?: string;
	from?: string;
	/** Digits that start with 95. */
	to?: string;
	message?: string;
}

export interface HistoryPage {
	messages: MessageRecord[];
	/** Page size in effect. */
	limit: number;
	/** Number of matching records on all pages, if the service returns it. */
	records?: number;
	/** Place of the first record, if the service returns it. */
	start?: number;
	/** The service's clock at its response, in milliseconds since 1970. */
	serviceTime?: number;
}

export interface OtpRequest {
	to: string;
	brand: string;
	from: string;
	ttl?: number;
	pinLength?: number;
	template?: string;
	maxInvalidAttempts?: number;
}

/** The result of a code check; every other outcome is a ServiceError. */
export type OtpCheck =
	| {
			verified: true;
			/** Number or email address; absent if the service masks it, since it then identifies nobody. */
			to?: string;
			/** `YYYY-MM-DD HH:MM:SS` */
			verifiedAt: string;
	  }
	| { verified: false; reason: OtpRejection; statusCode: number; message: string };

export type OtpRejection =
	| 'wrongOrExpired' // 400
	| 'rejected' // another 4xx about the code, or a rejection inside a 2xx
	| 'couldNotCheck'; // 400, after a check that got no response but may have used up the code
