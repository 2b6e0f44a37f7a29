import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/failure';
import type { OtpCheck } from '../shared/client/types';
import { hourMs } from '../shared/input/time';
import { Expiring } from '../shared/n8n/Expiring';
import { isStoppedByFailure } from '../shared/n8n/items';
import { rememberVerified, RunMemory } from '../shared/n8n/memory';

/** The check of one item, or the error that lost its response. The seal shows whether request and code are the same. */
interface Checked {
	seal: string;
	check?: OtpCheck;
	lost?: Pick<ServiceError, 'kind' | 'facts'>;
}

/**
 * OTP requests with a check in this process that got no response: the service may have used up the code. No code is
 * valid for more than an hour ("Limits", ttl).
 */
const lostLately = new Expiring<true>(hourMs, 100_000);

/**
 * Checks each code once, even if the node runs again because another item failed: each check counts as an attempt, and
 * a correct code verifies only once.
 */
export class CodeChecks {
	readonly memory: RunMemory<Checked>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly client: MessagingServiceClient,
	) {
		this.memory = RunMemory.open(context, 'checks');
	}

	/** @throws ServiceError if it is unknown whether the code is correct */
	async check(item: number, requestId: string, code: string): Promise<OtpCheck> {
		const [seal, request] = [this.client.seal(requestId, code), this.client.seal(requestId)];
		const { check: known, lost, seal: before } = this.memory.find(item) ?? {};
		if (known && before === seal) return known;
		// A lost check is repeated only in a retry, after it made the node fail.
		if (lost && before === seal && !isStoppedByFailure(this.context))
			throw new ServiceError(lost.kind, lost.facts);
		const check = await this.client.verifyOtp(requestId, code).catch((error: unknown) => {
			if (error instanceof ServiceError && error.mayHaveActed) {
				lostLately.set(request, true);
				this.memory.keep(item, { seal, lost: { kind: error.kind, facts: error.facts } });
			}
			throw error;
		});
		if (check.verified) rememberVerified(request);
		// The service also reports a code as wrong after a lost check has used it up.
		else if (check.reason === 'wrongOrExpired' && lostLately.get(request))
			check.reason = 'couldNotCheck';
		this.memory.keep(item, { seal, check });
		return check;
	}
}
