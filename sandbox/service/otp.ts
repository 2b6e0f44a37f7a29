import { randomInt } from 'node:crypto';
import { keepNewest, readClock, type State } from '../state';
import { formatDateTime } from './dateTime';
import { countParts } from './messageParts';
import { readPhoneNumber } from './phoneNumber';
import { Refusal, refuseField } from './refusal';
import { deduct, findPrice, isKnownSender } from './send';
import { type Fields, readRequiredText, readText, toLabel } from './sendRequest';
import { findBehaviour } from './specialNumbers';

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
	expiresAtMs: number;
	maxInvalidAttempts: number;
	invalidAttempts: number;
	verifiedAt: string | null;
}

export type OtpRequestAnswer = Pick<
	StoredOtp,
	'channel' | 'requestId' | 'to' | 'createdAt' | 'expireAt'
>;

/** Specification, Limits. The defaults are not shown there: ours. */
const LIMITS = {
	ttl: { min: 60, max: 3600, default: 300 },
	pinLength: { min: 4, max: 8, default: 6 },
	maxInvalidAttempts: { min: 1, max: 10, default: 5 },
};
const DEFAULT_TEMPLATE = '{code} is your {brand} verification code.';

/** Issues a code and "sends" it by SMS or e-mail. @throws Refusal 422 or 400 */
export function requestOtp(state: State, query: Fields): OtpRequestAnswer {
	const otp = createOtp(state, query);
	if (!canBeSent(state, otp)) throw refuseToSend();
	state.codes.push(otp);
	keepNewest(state.codes, state.settings.maxMessagesKept);
	state.changes++;
	const { channel, requestId, to, createdAt, expireAt } = otp;
	return { channel, requestId, to, createdAt, expireAt };
}

function createOtp(state: State, query: Fields): StoredOtp {
	const { channel, to } = readReceiver(readRequiredText(query, 'to'));
	const brand = readRequiredText(query, 'brand');
	const template = readText(query, 'template') ?? DEFAULT_TEMPLATE;
	if (!template.includes('{code}')) throw refuseField('Template must contain {code}.');
	const code = createCode(readLimited(query, 'pinLength'));
	const expiresAtMs = readClock(state) + readLimited(query, 'ttl') * 1000;
	return {
		requestId: createRequestId(state),
		channel,
		to,
		brand,
		from: readRequiredText(query, 'from'),
		code,
		message: template.replaceAll('{brand}', () => brand).replaceAll('{code}', code),
		createdAt: formatDateTime(readClock(state)),
		expireAt: formatDateTime(expiresAtMs),
		expiresAtMs,
		maxInvalidAttempts: readLimited(query, 'maxInvalidAttempts'),
		invalidAttempts: 0,
		verifiedAt: null,
	};
}

function readReceiver(to: string): { channel: 'SMS' | 'EMAIL'; to: string } {
	if (to.includes('@')) {
		if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to)) {
			throw refuseField('To is not a valid email address.');
		}
		return { channel: 'EMAIL', to };
	}
	const number = readPhoneNumber(to);
	if (number === undefined) throw refuseField('To is not a valid mobile number.');
	return { channel: 'SMS', to: number };
}

function readLimited(query: Fields, name: keyof typeof LIMITS): number {
	const limits = LIMITS[name];
	const text = readText(query, name);
	if (text === undefined) return limits.default;
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < limits.min || value > limits.max) {
		throw refuseField(`${toLabel(name)} must be a number from ${limits.min} to ${limits.max}.`);
	}
	return value;
}

/** Every digit is random, so that codes with leading zeros come up. */
function createCode(length: number): string {
	return Array.from({ length }, () => randomInt(10)).join('');
}

function createRequestId(state: State): number | string {
	const nineDigits = randomInt(100_000_000, 1_000_000_000);
	const requestId = state.settings.largeRequestIds
		? `${nineDigits}${randomInt(100_000_000, 1_000_000_000)}`
		: nineDigits;
	return findOtp(state, String(requestId)) ? createRequestId(state) : requestId;
}

/** A code by SMS costs what its text costs; by e-mail nothing. */
function canBeSent(state: State, otp: StoredOtp): boolean {
	if (otp.to.startsWith('refused@') || findBehaviour(otp.to).refusal) return false;
	if (!isKnownSender(state, otp.from)) return false;
	const price = otp.channel === 'SMS' ? findPrice(state, otp.to) : 0;
	const amount = price * countParts(otp.message, false);
	if (amount > state.balance) return false;
	deduct(state, amount);
	return true;
}

/** The beginning of these words is field note 7's. */
function refuseToSend(): Refusal {
	return new Refusal(
		400,
		'We were unable to send your OTP. Please check your balance and your Sender ID.',
	);
}

export interface OtpVerifyAnswer {
	/** snake_case here, unlike the answer to the request (field note 5). */
	request_id: number | string;
	to: string;
	verifiedAt: string;
}

/**
 * Verifies a code, once.
 *
 * @throws Refusal 400 `Invalid request!.` for everything else, without saying why
 */
export function verifyOtp(state: State, query: Fields): OtpVerifyAnswer {
	const otp = findOtp(state, String(query.requestId ?? ''));
	if (!otp || readOtpState(state, otp) !== 'valid') throw refuseToVerify();
	state.changes++;
	if (query.code !== otp.code) {
		otp.invalidAttempts++;
		throw refuseToVerify();
	}
	otp.verifiedAt = formatDateTime(readClock(state));
	return { request_id: otp.requestId, to: otp.to, verifiedAt: otp.verifiedAt };
}

function refuseToVerify(): Refusal {
	return new Refusal(400, 'Invalid request!.');
}

function findOtp(state: State, requestId: string): StoredOtp | undefined {
	return state.codes.find((otp) => String(otp.requestId) === requestId);
}

/** Blocked once the invalid attempts exceed the maximum (specification, OTP request lifecycle). */
export function readOtpState(state: State, otp: StoredOtp): OtpState {
	if (otp.verifiedAt !== null) return 'verified';
	if (otp.invalidAttempts > otp.maxInvalidAttempts) return 'blocked';
	return readClock(state) >= otp.expiresAtMs ? 'expired' : 'valid';
}
