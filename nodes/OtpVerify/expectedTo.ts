import type { INodeParameters } from 'n8n-workflow';

import type { OtpCheck } from '../shared/client/types';
import { attempt } from '../shared/execution/runPerItem';
import { normalizeOtpRecipient, toRecipientKey } from '../shared/validation/recipient';

/** Why an item is rejected although the service did not reject its code, so without an HTTP status. */
export interface OtherRecipient {
	verified: false;
	reason: 'otherRecipient';
	message: string;
}

function reject(message: string): OtherRecipient {
	return { verified: false, reason: 'otherRecipient', message };
}

/** Only an empty field disables the check; an expression that returns no value matches no code. */
export function isRecipientExpected({ expectedTo }: INodeParameters): boolean {
	return expectedTo !== undefined && expectedTo !== '';
}

/**
 * The recipient that a code has to prove, as a key. Where the field names none, no code can prove it, so the service is
 * not asked and the code is not used up.
 */
export function readExpectedTo(value: unknown): { key: string } | OtherRecipient {
	const read = attempt(() => toRecipientKey(normalizeOtpRecipient(value, 'any', 'expectedTo')));
	if ('value' in read) return { key: read.value };
	const { message } = read.error as Error;
	return reject(`The code was not checked. ${message}`);
}

/** A confirmation for anybody else lets nobody in, and does not tell whose code it was. */
function requireRecipient(check: OtpCheck, key: string): OtpCheck | OtherRecipient {
	if (!check.verified) return check;
	const confirmed = readExpectedTo(check.to);
	if ('key' in confirmed && confirmed.key === key) return check;
	return reject('The service confirmed this code for a different recipient than Must Belong To.');
}

/** @param expected whom the code must prove; undefined for anybody */
export async function checkFor(
	expected: ReturnType<typeof readExpectedTo> | undefined,
	check: () => Promise<OtpCheck>,
): Promise<OtpCheck | OtherRecipient> {
	if (!expected) return await check();
	return 'key' in expected ? requireRecipient(await check(), expected.key) : expected;
}
