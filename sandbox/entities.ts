import type * as z from 'zod/v4';
import * as inputs from './inputSchemas';
import * as schemas from './schemas';

const typesOf = <S extends Record<string, z.ZodType>>(of: S) =>
	of as unknown as { [N in keyof S]: z.infer<S[N]> };
/** For its type only: TypeScript writes it out in the package's declarations, which need no zod. */
export const types = typesOf({ ...schemas, ...inputs });
type Types = typeof types;

/** The three surfaces of the service. */
export type Surface = Types['surface'];
/** A status of a message, and its time in milliseconds after the message was created. */
export type StatusChange = Types['statusChange'];
/** A planned status of a message, and the receipts to post when it is reached. */
export type StatusStep = Types['statusStep'];
/** A message as stored. The encryption key is not stored: the service returns it only once. */
export type StoredMessage = Types['message'];
/** Fields that a seeded message can have; the others are generated. */
export type SeedMessage = Types['seedMessage'];
export type OtpState = Types['otpState'];
/** A one-time code as stored, in plain text. */
export type StoredOtp = Types['code'];
/** A code by email, or a mail that was handed in (`addMail`). */
export type StoredMail = Types['mail'];
export type MailDraft = Types['mailDraft'];
/** What happens to messages and codes for a phone number. `README.md` of the sandbox lists the special numbers. */
export type Behaviour = Types['behaviour'];
/** One attempt to post a delivery receipt. */
export type SentReceipt = Types['receipt'];
/** A request that reached a path of the service, with its response. Holds credentials. */
export type LoggedRequest = Types['request'];
/** A request that the service acts on later (sandbox's clock), after its response (`when: 'later'`). */
export interface LateAct {
	id: string;
	dueMs: number;
	request: LoggedRequest;
}
export type FaultEffect = Types['faultEffect'];
export type FaultRule = Types['faultRule'];
/** A fault rule with its counts: requests that matched (`seen`) and requests it was applied to (`hits`). */
export type ActiveFault = Types['activeFault'];
export type ApiCredential = Types['credential'];
export type Settings = Types['settings'];
export type ListFilter = Types['listFilter'];
export type RequestFilter = Types['requestFilter'];

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
