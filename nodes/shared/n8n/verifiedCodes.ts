import { Expiring } from '../client/Expiring';
import { hourMs } from '../input/time';

/** The sealed request IDs of codes that this process verified. OTP Verify adds to them, the limits of OTP Request read them. */
const verified = new Expiring<true>(hourMs, 500_000);

export function rememberVerified(request: string): void {
	verified.set(request, true);
}

export function isVerified(request: string | undefined): boolean {
	return request !== undefined && verified.get(request) === true;
}
