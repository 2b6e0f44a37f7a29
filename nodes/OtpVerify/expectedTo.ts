import type { INodeParameters } from 'n8n-workflow';

import type { OtpCheck } from '../shared/client/types';
import { attempt } from '../shared/input/InputError';
import { normalizeOtpRecipient, toRecipientKey } from '../shared/input/number';

/** A rejection by the node, not by the service, so it has no HTTP status. */
export interface OtherRecipient {
	verified: false;
	reason: 'otherRecipient';
	message: string;
}

function reject(message: string): OtherRecipient {
	return { verified: false, reason: 'otherRecipient', message };
}

const other = 'The service confirmed this code for a different recipient than Must Belong To.';
const masked =
	'The service masks the recipient of this code, so Must Belong To could not be checked. To verify without it, leave it empty, and keep visitors from changing the request ID.';

/** Only an empty field disables the check; an expression that returns no value matches no code. */
export function isRecipientExpected({ expectedTo }: INodeParameters): boolean {
	return expectedTo !== undefined && expectedTo !== '';
}

/**
 * The recipient that the code must prove, as a key. A value that names no recipient rejects the item before the check,
 * so the code is not used up.
 */
export function readExpectedTo(value: unknown): { key: string } | OtherRecipient {
	const read = attempt(() => toRecipientKey(normalizeOtpRecipient(value, 'any', 'expectedTo')));
	if ('value' in read) return { key: read.value };
	const { message } = read.error as Error;
	return reject(`The code was not checked. ${message}`);
}

/** Rejects a confirmation for another recipient, without revealing which. */
function requireRecipient(check: OtpCheck, key: string): OtpCheck | OtherRecipient {
	if (!check.verified) return check;
	if (check.to === undefined) return reject(masked);
	const confirmed = readExpectedTo(check.to);
	return 'key' in confirmed && confirmed.key === key ? check : reject(other);
}

/** @param expected the recipient that the code must prove; undefined for any */
export async function checkFor(
	expected: ReturnType<typeof readExpectedTo> | undefined,
	check: () => Promise<OtpCheck>,
): Promise<OtpCheck | OtherRecipient> {
	if (!expected) return await check();
	return 'key' in expected ? requireRecipient(await check(), expected.key) : expected;
}
