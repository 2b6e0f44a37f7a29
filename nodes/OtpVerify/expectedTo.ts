import type { OtpCheck } from '../shared/client/types';
import { attempt } from '../shared/input/InputError';
import { normalizeOtpRecipient, toRecipientKey } from '../shared/input/number';

const masked =
	'The service masks the recipient of this code, so Must Belong To could not be checked. To verify without it, leave it empty, and keep visitors from changing the request ID.';

/** A rejection by the node, not by the service, so it has no HTTP status. */
function reject(message: string) {
	return { verified: false, reason: 'otherRecipient', message } as const;
}

function readKey(value: unknown) {
	return attempt(() => toRecipientKey(normalizeOtpRecipient(value, 'any', 'expectedTo')));
}

/**
 * Rejects a confirmation for another recipient, without revealing which. A value that names no recipient rejects the
 * item before the check, so the code is not used up.
 */
export async function checkFor(
	expectedTo: unknown,
	check: () => Promise<OtpCheck>,
): Promise<OtpCheck | ReturnType<typeof reject>> {
	const expected = readKey(expectedTo);
	if ('error' in expected)
		return reject(`The code was not checked. ${(expected.error as Error).message}`);
	const result = await check();
	if (!result.verified) return result;
	if (result.to === undefined) return reject(masked);
	const confirmed = readKey(result.to);
	const isSame = 'value' in confirmed && confirmed.value === expected.value;
	return isSame
		? result
		: reject('The service confirmed this code for a different recipient than Must Belong To.');
}
