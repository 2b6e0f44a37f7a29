import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { isDomestic } from '../input/number';
import { reasonOf } from '../n8n/errors';

/** Removes floating-point errors. */
export function toAmount(value: number): number {
	return Number(value.toFixed(6));
}

/** The cost of messages, compared with the balance. Without a balance, `why` says what is known. Prices abroad differ. */
export async function readMoney(
	client: Pick<MessagingServiceClient, 'getBalance'>,
	messages: Array<{ to?: unknown; parts?: number }>,
	pricePerPart: number,
) {
	const paid = messages.filter(({ parts = 0 }) => parts > 0);
	const cost = toAmount(paid.reduce((sum, { parts = 0 }) => sum + parts, 0) * pricePerPart);
	const abroad = paid.filter(({ to }) => !isDomestic(String(to))).length;
	const none = {
		...{ cost, abroad, currency: '', short: 0, why: '' },
		balance: undefined as number | undefined,
	};
	return await client.getBalance().then(
		({ balance: given, currency: unit }) => {
			const isGiven = ['number', 'string'].includes(typeof given) && given !== '';
			const balance = Number(given);
			if (!isGiven || !Number.isFinite(balance))
				return { ...none, why: 'the service returned none' };
			const currency = typeof unit === 'string' ? unit : '';
			return { ...none, balance, currency, short: Math.max(0, toAmount(cost - balance)) };
		},
		(error: unknown) => ({ ...none, why: reasonOf(error) }),
	);
}
