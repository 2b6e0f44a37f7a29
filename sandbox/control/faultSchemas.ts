import * as z from 'zod/v4';
import type { FaultRule } from '../entities';
import { milliseconds, whole } from '../shapes';

/** After a 1xx status, the client would wait for the final response. */
const status = z.int().min(200).max(599);
const headerValue = z
	.string()
	.refine((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text), 'a text that a header can have');
const headerName = z
	.string()
	.refine((text) => /^[!#$%&'*+.^`|~\w-]+$/.test(text), 'a name of a header');

const choices = [
	z.enum(['cut', 'hang', 'brokenJson', 'cutBody', 'echo']),
	z.strictObject({
		status,
		headers: z.record(headerName, headerValue).optional(),
		body: z.unknown().optional(),
	}),
	z.strictObject({
		redirect: z.strictObject({ location: headerValue, status: status.optional() }),
	}),
	z.strictObject({ slowMs: milliseconds }),
	z.strictObject({ echo: z.strictObject({ status }) }),
] as const;
const effect = z.union(choices, 'an effect such as "cut" or {"status": 500}');

const text = z.string().optional();

export const faultRule: z.ZodType<FaultRule> = z
	.strictObject({
		match: z.strictObject({ path: text, method: text, contains: text }).optional(),
		when: z.enum(['before', 'after', 'later']).optional(),
		laterMs: milliseconds.optional(),
		effect,
		probability: z.number().min(0).max(1).optional(),
		skip: whole.optional(),
		count: whole.optional(),
	})
	.refine(
		({ when = 'before', laterMs }) => (when === 'later') === (laterMs !== undefined),
		"a rule in which when: 'later' and laterMs go together: one needs the other",
	)
	.refine(
		({ laterMs, effect: wanted }) =>
			laterMs === undefined || typeof wanted !== 'object' || !('slowMs' in wanted),
		"a rule without slowMs, which gives the real response: when: 'later' does not have it",
	);
