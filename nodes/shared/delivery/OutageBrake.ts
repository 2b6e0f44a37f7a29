import { ServiceError } from '../client/ServiceError';
import { deliveryTiming } from './timing';

/**
 * Keeps messages back while the service takes none, so that an outage does not leave thousands of unknown outcomes.
 * What is held back was certainly not sent.
 */
export class OutageBrake {
	/** How many requests the service has taken so far. */
	acceptances = 0;
	private failuresInARow = 0;
	private begun = 0;
	private waiting: Array<() => void> = [];

	/**
	 * Runs a delivery. During an outage it waits for what becomes of those that were begun before.
	 * @throws ServiceError when none of them was taken
	 */
	async run<T>(deliver: () => Promise<T>): Promise<T> {
		while (this.isOutage && this.begun > 0) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		if (this.isOutage) throw new ServiceError('unavailable', { code: 'heldBack' });
		this.begun += 1;
		try {
			return await deliver();
		} finally {
			this.begun -= 1;
			if (this.begun === 0) this.wake();
		}
	}

	noteAcceptance(): void {
		this.acceptances += 1;
		this.failuresInARow = 0;
		this.wake();
	}

	noteFailure({ kind, mayHaveActed }: ServiceError): void {
		const isOfService = mayHaveActed || kind === 'unavailable' || kind === 'rateLimited';
		if (isOfService) this.failuresInARow += 1;
	}

	private get isOutage(): boolean {
		return this.failuresInARow >= deliveryTiming.outageAfter;
	}

	private wake(): void {
		for (const resume of this.waiting.splice(0)) resume();
	}
}
