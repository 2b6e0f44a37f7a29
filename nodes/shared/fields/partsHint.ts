import type { NodeExecutionHint } from 'n8n-workflow';

/** A hint below the output when texts were charged as several parts; nothing when each was one part. */
export function describeParts(partsOfMessages: number[]): NodeExecutionHint[] {
	const long = partsOfMessages.filter((parts) => parts > 1);
	if (long.length === 0) return [];
	const total = partsOfMessages.reduce((sum, parts) => sum + parts, 0);
	const most = long.reduce((highest, parts) => Math.max(highest, parts), 0);
	return [
		{
			message: `${long.length} of ${partsOfMessages.length} messages are long and charged as up to ${most} parts each, ${total} parts in all. Texts with Burmese letters or emojis hold 70 characters in one part, others 160. The option Max Parts refuses longer ones.`,
			location: 'outputPane',
		},
	];
}
