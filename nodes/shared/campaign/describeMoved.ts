import type { NodeExecutionHint } from 'n8n-workflow';

import { describeMoment } from '../validation/sendWindow';

export interface Moved {
	/** When the message goes out, in milliseconds since 1970. */
	moment: number;
	/** Of the Send Window. */
	timeZone: string;
}

/** A hint below the output when messages were scheduled because the Send Window is closed; nothing when none was. */
export function describeMoved(moved: Moved[]): NodeExecutionHint[] {
	if (moved.length === 0) return [];
	const first = moved.reduce((earliest, one) => (one.moment < earliest.moment ? one : earliest));
	const are = moved.length === 1 ? '1 message is' : `${moved.length} messages are`;
	return [
		{
			message: `${are} scheduled, since Send Window is closed: it opens on ${describeMoment(first.moment, first.timeZone)}.`,
			location: 'outputPane',
		},
	];
}
