const toText = (value: unknown) => (typeof value === 'number' ? String(value) : value);

/** Digits that a number cannot hold stay text. */
function toNumber(value: unknown): unknown {
	const isWritten = typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value);
	return isWritten ? Number(value) : value;
}

function toFlag(value: unknown): unknown {
	if (typeof value !== 'number' && typeof value !== 'string') return value;
	return /^(1|true)$/i.test(String(value)) || (/^(0|false)$/i.test(String(value)) ? false : value);
}

/** By field ("Message record", "Message history envelope", "Balance", "OTP request result"). */
const readers = new Map<string, (value: unknown) => unknown>([
	...['messageId', 'message', 'to', 'clientReference', 'from', 'network', 'type'].map(
		(field) => [field, toText] as const,
	),
	...['messageCount', 'balance', 'limit', 'records', 'start'].map(
		(field) => [field, toNumber] as const,
	),
	...['test', 'encryptMessage'].map((field) => [field, toFlag] as const),
]);

/** The fields with their documented types: a service may write a number as text, or a text as a number. */
export function withDocumentedTypes<T extends object>(fields: T): T {
	const entries = Object.entries(fields) as Array<[string, unknown]>;
	return Object.fromEntries(
		entries.map(([field, value]) => [field, readers.get(field)?.(value) ?? value]),
	) as T;
}
