import { readFileSync } from 'node:fs';
import * as z from 'zod/v4';
import type { StoredMessage } from './entities';
import { faultRule } from './control/faultSchemas';
import { settingsSchema } from './settingSchemas';
import type { Seed } from './settings';
import { read } from './shapes';

const nullableText = z.string().nullable();
/** Fields that a seed can set in a seeded message. */
export const seedMessage = z
	.strictObject({
		...{ messageId: z.string(), message: z.string(), to: z.string(), from: z.string() },
		...{ network: z.string(), type: z.string(), status: z.string(), createdAt: z.string() },
		...{ clientReference: nullableText, scheduledAt: nullableText, finishedAt: nullableText },
		...{ messageCount: z.int().min(1), test: z.boolean() },
		...{ createdAtMs: z.number(), listedFromMs: z.number() },
	})
	.partial() as z.ZodType<Partial<StoredMessage>>;

/** Schema of a seed file; the build turns it into a JSON schema for editors. */
export const seedSchema = z.strictObject({
	$schema: z.string().optional().describe('Where editors find the schema of this file.'),
	balance: settingsSchema.shape.balance.optional(),
	numbers: settingsSchema.shape.numbers.optional(),
	messages: z
		.array(seedMessage)
		.optional()
		.describe('Messages in history, oldest first, a second apart; what is left out is generated.'),
	faults: z.array(faultRule).optional().describe('Fault rules.'),
});

/** @throws Error that names the file and the mistake in it */
export function readSeedFile(file: string | undefined): Seed {
	if (file === undefined) return { settings: {}, messages: [], faults: [] };
	try {
		const seed = read(seedSchema, JSON.parse(readFileSync(file, 'utf8')));
		const { balance, numbers, messages = [], faults = [] } = seed;
		const settings = { ...(balance !== undefined && { balance }), ...(numbers && { numbers }) };
		return { settings, messages, faults };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`The seed file ${file} cannot be used: ${why}`);
	}
}
