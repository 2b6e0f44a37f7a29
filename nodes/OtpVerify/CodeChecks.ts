import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/failure';
import type { OtpCheck } from '../shared/client/types';
import { Expiring } from '../shared/client/Expiring';
import { isStoppedByFailure } from '../shared/n8n/items';
import { RunMemory } from '../shared/n8n/memory';
import { rememberVerified } from '../shared/n8n/verifiedCodes';

/** The result of a check, or the error that lost its response. */
type CheckOutcome = { check: OtpCheck } | { lost: Pick<ServiceError, 'kind' | 'facts'> };

/** The check of one item. The seal shows whether request and code are still the same. */
type Checked = CheckOutcome & { seal: string };

/** No code is valid for more than an hour ("Limits", ttl). */
const longestLifeMs = 60 * 60_000;

/** OTP requests with a check in this process that got no response: the service may have used up the code. */
const lostLately = new Expiring<true>(longestLifeMs, 100_000);

/**
 * Checks each code once, even if the node runs again because another item failed: each check counts as an attempt, and
 * a correct code verifies only once.
 */
export class CodeChecks {
	readonly memory: RunMemory<Checked>;
	private readonly goesOn: boolean;

	constructor(
		context: IExecuteFunctions,
		private readonly client: MessagingServiceClient,
	) {
		this.memory = RunMemory.open(context, 'checks');
		this.goesOn = !isStoppedByFailure(context);
	}

	/** @throws ServiceError if it is unknown whether the code is correct */
	async check(item: number, requestId: string, code: string): Promise<OtpCheck> {
		const seal = this.client.seal(requestId, code);
		const outcome = this.recall(item, seal) ?? (await this.ask(item, { requestId, code }, seal));
		if ('check' in outcome) return outcome.check;
		throw new ServiceError(outcome.lost.kind, outcome.lost.facts);
	}

	/** A lost check is repeated only in a retry, after it made the node fail. */
	private recall(item: number, seal: string): CheckOutcome | undefined {
		const earlier = this.memory.find(item);
		if (earlier?.seal !== seal) return undefined;
		return 'check' in earlier || this.goesOn ? earlier : undefined;
	}

	private async ask(
		item: number,
		{ requestId, code }: { requestId: string; code: string },
		seal: string,
	): Promise<CheckOutcome> {
		const outcome = await this.client.verifyOtp(requestId, code).then(
			(check) => ({ check: this.admitDoubt(requestId, check) }),
			(error: unknown) => ({ lost: this.requireLost(error, requestId) }),
		);
		if ('check' in outcome && outcome.check.verified) {
			rememberVerified(this.client.seal(requestId));
		}
		this.memory.keep(item, { ...outcome, seal });
		return outcome;
	}

	/** Rethrows errors after which the service cannot have acted: that check may be retried. */
	private requireLost(error: unknown, requestId: string): Pick<ServiceError, 'kind' | 'facts'> {
		if (!(error instanceof ServiceError) || !error.mayHaveActed) throw error;
		lostLately.set(this.client.seal(requestId), true);
		const { kind, facts } = error;
		return { kind, facts };
	}

	/** The service also reports a code as wrong after a lost check has used it up. */
	private admitDoubt(requestId: string, check: OtpCheck): OtpCheck {
		if (check.verified || check.reason !== 'wrongOrExpired') return check;
		const isLost = lostLately.get(this.client.seal(requestId));
		return isLost ? { ...check, reason: 'couldNotCheck' } : check;
	}
}
