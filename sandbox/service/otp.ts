import { randomInt } from 'node:crypto';
import type { OtpState, StoredOtp } from '../entities';
import { maxAddressLength, NotFound } from '../shapes';
import { readClock, type State, takeMark } from '../state';
import { deduct, findPrice, isKnownSender } from './account';
import { formatDateTime } from './dateTime';
import { type Fields, readRequiredText, readText, toLabel } from './fields';
import { storeMail } from './mails';
import { measureText } from './messageParts';
import { readPhoneNumber } from './phoneNumber';
import { Refusal, refuseField } from './refusal';
import { findBehaviour } from './specialNumbers';

/** Specification, Limits; the defaults are the sandbox's choice. */
const limitsOf = {
	ttl: { min: 60, max: 3600, default: 300 },
	pinLength: { min: 4, max: 8, default: 6 },
	maxInvalidAttempts: { min: 1, max: 10, default: 5 },
};
const defaultTemplate = '{code} is your {brand} verification code.';

/** Issues a code and "sends" it by SMS or email. @throws Refusal 400 */
export function requestOtp(state: State, query: Fields): object {
	const otp = check(() => readOtp(state, query));
	pay(state, otp);
	state.codes.insert({ ...otp, mark: takeMark(state) }, state.settings.maxMessagesKept);
	const { channel, requestId, to, from, brand, message: html, createdAt, expireAt } = otp;
	if (channel === 'EMAIL') {
		const text = html.replace(/<[^<>]*>/g, '');
		storeMail(state, { from, to, subject: brand, text, html, requestId });
	}
	return { channel, requestId, to, createdAt, expireAt };
}

export function findOtp({ codes }: State, requestId: string): StoredOtp | undefined {
	return codes.find(requestId);
}

/** Every missing or wrong parameter gets the same message (field note 15). */
function check<T>(readParameters: () => T): T {
	try {
		return readParameters();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		throw new Refusal(400, 'missing or invalid parameters', error.reason);
	}
}

function readOtp(state: State, query: Fields): StoredOtp {
	const { channel, to } = readReceiver(readRequiredText(query, 'to'));
	const [brand, from] = [readRequiredText(query, 'brand'), readRequiredText(query, 'from')];
	const template = readText(query, 'template') ?? defaultTemplate;
	if (!template.includes('{code}')) throw refuseField('Template must contain {code}.');
	const code = createCode(readLimited(query, 'pinLength'));
	const now = readClock(state);
	const expiresAtMs = now + readLimited(query, 'ttl') * 1000;
	return {
		...{ requestId: createRequestId(state), channel, to, brand, from, code, mark: 0 },
		message: template.replaceAll('{brand}', () => brand).replaceAll('{code}', code),
		...{ createdAt: formatDateTime(now), expireAt: formatDateTime(expiresAtMs) },
		...{ createdAtMs: now, expiresAtMs, verifiedAt: null, invalidAttempts: 0 },
		maxInvalidAttempts: readLimited(query, 'maxInvalidAttempts'),
	};
}

function readReceiver(to: string): { channel: 'SMS' | 'EMAIL'; to: string } {
	if (to.includes('@')) {
		if (to.length > maxAddressLength || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to)) {
			throw refuseField('To is not a valid email address.');
		}
		return { channel: 'EMAIL', to };
	}
	const number = readPhoneNumber(to);
	if (number === undefined) throw refuseField('To is not a valid mobile number.');
	return { channel: 'SMS', to: number };
}

function readLimited(query: Fields, name: keyof typeof limitsOf): number {
	const limits = limitsOf[name];
	const text = readText(query, name);
	if (text === undefined) return limits.default;
	const value = Number(text);
	if (!/^\d+$/.test(text) || value < limits.min || value > limits.max) {
		throw refuseField(`${toLabel(name)} must be a number from ${limits.min} to ${limits.max}.`);
	}
	return value;
}

/** Draws each digit, so that codes can have leading zeros. */
function createCode(length: number): string {
	return Array.from({ length }, () => randomInt(10)).join('');
}

function createRequestId(state: State): number | string {
	const nineDigits = randomInt(100_000_000, 1_000_000_000);
	const requestId = state.settings.largeRequestIds ? appendDigits(nineDigits) : nineDigits;
	return findOtp(state, String(requestId)) ? createRequestId(state) : requestId;
}

/** 18 digits, and odd, so that a JavaScript number cannot hold it exactly. */
function appendDigits(nineDigits: number): string {
	return `${nineDigits}${randomInt(50_000_000, 500_000_000) * 2 + 1}`;
}

/** A code by SMS costs as much as its text; a code by email is free. */
function pay(state: State, otp: StoredOtp): void {
	if (otp.to.startsWith('refused@') || findBehaviour(state.settings, otp.to).refusal) {
		throw refuseToSend(`${otp.to} is always rejected.`);
	}
	if (!isKnownSender(state, otp.from)) throw refuseToSend(`${otp.from} is not registered.`);
	const price = otp.channel === 'SMS' ? findPrice(state, otp.to) : 0;
	const amount = price * measureText(otp.message, false).parts;
	if (amount > state.balance) throw refuseToSend(`The balance does not cover ${amount}.`);
	deduct(state, amount);
}

/** The beginning of the message is as observed (field note 7). */
function refuseToSend(reason: string): Refusal {
	const words = 'We were unable to send your OTP. Please check your balance and your Sender ID.';
	return new Refusal(400, words, reason);
}

/**
 * Verifies a code, once.
 *
 * @throws Refusal 400 when a parameter is missing, which uses up no attempt; otherwise `Invalid request!.`, which does
 *   not say why
 */
export function verifyOtp(state: State, query: Fields): object {
	const [requestId, code] = check(() => [
		readRequiredText(query, 'requestId'),
		readRequiredText(query, 'code'),
	]);
	const otp = findOtp(state, requestId);
	if (!otp) throw refuseToVerify('There is no such request.');
	const codeState = readOtpState(state, otp);
	if (codeState !== 'valid') throw refuseToVerify(`The code is ${codeState}.`);
	const isRight = code === otp.code;
	if (isRight) otp.verifiedAt = formatDateTime(readClock(state));
	else otp.invalidAttempts += 1;
	state.codes.noteChange();
	if (otp.verifiedAt === null) throw refuseToVerify('The code is wrong.');
	// snake_case here, unlike in the response to the OTP request (field note 5).
	return { request_id: otp.requestId, to: otp.to, verifiedAt: otp.verifiedAt };
}

function refuseToVerify(reason: string): Refusal {
	return new Refusal(400, 'Invalid request!.', reason);
}

/** @throws NotFound when there is no such request */
export function expireOtp(state: State, requestId: string): void {
	const otp = findOtp(state, requestId);
	if (!otp) throw new NotFound(`There is no code with the request ID ${requestId}.`);
	otp.expiresAtMs = readClock(state);
	otp.expireAt = formatDateTime(otp.expiresAtMs);
	state.codes.noteChange();
}

/** Blocked once the invalid attempts exceed the maximum (specification, OTP request lifecycle). */
export function readOtpState(state: State, otp: StoredOtp): OtpState {
	if (otp.verifiedAt !== null) return 'verified';
	if (otp.invalidAttempts > otp.maxInvalidAttempts) return 'blocked';
	return readClock(state) >= otp.expiresAtMs ? 'expired' : 'valid';
}
