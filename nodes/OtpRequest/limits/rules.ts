import { dayMs, hourMs, minuteMs } from '../../shared/input/time';

/** By what codes are counted. Only those of a recipient count once they are verified. */
export type Counter = 'recipient' | 'node' | 'visitor' | 'range';

interface CodeLimit {
	label: string;
	by: Counter;
	windowMs: number;
	/** With <codes> for the limit. */
	reason: string;
	description: string;
	whenAbsent: number;
	most: number;
}

/** Max codes kept per counter. */
export const mostCodes = 100_000;

/** The limits by the name of their option, which is a number: 0 for no limit. */
export const rules = {
	pauseSeconds: {
		label: 'Pause (Seconds)',
		by: 'recipient',
		windowMs: 1000,
		reason: 'this recipient got a code a moment ago',
		description: 'How long a recipient must wait for the next code',
		whenAbsent: 30,
		most: 600,
	},
	maxPerRecipient: {
		label: 'Max Codes per Recipient',
		by: 'recipient',
		windowMs: 10 * minuteMs,
		reason: 'this recipient got <codes> in the last 10 minutes',
		description: 'Max codes for one number or email address in 10 minutes',
		whenAbsent: 5,
		most: 1000,
	},
	maxPerRecipientPerDay: {
		label: 'Max Codes per Recipient per Day',
		by: 'recipient',
		windowMs: dayMs,
		reason: 'this recipient got <codes> in the last 24 hours',
		description: 'Max codes for one number or email address in 24 hours',
		whenAbsent: 20,
		most: 1000,
	},
	maxPerHour: {
		label: 'Max Codes per Hour',
		by: 'node',
		windowMs: hourMs,
		reason: 'too many unverified codes in the last hour',
		description: 'Max unverified codes per hour of this node, in each n8n process',
		whenAbsent: 300,
		most: mostCodes,
	},
	maxPerVisitor: {
		label: 'Max Codes per Visitor',
		by: 'visitor',
		windowMs: hourMs,
		reason: 'too many unverified codes for this visitor',
		description: 'Max unverified codes per hour for one Visitor',
		whenAbsent: 5,
		most: 1000,
	},
	maxPerRange: {
		label: 'Max Codes to Similar Numbers',
		by: 'range',
		windowMs: hourMs,
		reason: 'too many unverified codes to similar numbers',
		description:
			'Max unverified codes per hour to numbers that differ only in the last four digits',
		whenAbsent: 10,
		most: 1000,
	},
} as const satisfies Record<string, CodeLimit>;

export type LimitName = keyof typeof rules;
export type Limits = Record<LimitName, number>;
