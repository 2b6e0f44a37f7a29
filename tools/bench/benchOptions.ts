import { parseArgs } from 'node:util';

/** Parts of the bench, in the order in which they run; `scaling` compares one process with two workers and with four. */
export const partNames = ['bulk', 'send', 'history', 'receipts', 'scaling'] as const;
export type PartName = (typeof partNames)[number];

export interface BenchOptions {
	/** Messages of the bulk part; every other part takes a share of it or a multiple. */
	items: number;
	rounds: number;
	only: PartName[];
	/** More settings of n8n. */
	env: Record<string, string>;
}

export const help = `Measures the nodes in a real n8n, against the sandbox with a latency of 50 ms, next to what n8n itself
offers for the same work.

Usage: npm run bench -- [options]

  --items NUMBER   messages of the bulk part (10000); the other parts take a share of it or a multiple
  --rounds NUMBER  how often everything is measured, in turn; medians are shown (3)
  --only PARTS     some of ${partNames.join(', ')}, separated by commas (all)
  --env NAME=VALUE a setting of n8n to measure with; can be given several times
  --help           show this
`;

const flags = {
	items: { type: 'string', default: '10000' },
	rounds: { type: 'string', default: '3' },
	only: { type: 'string', default: partNames.join(',') },
	env: { type: 'string', multiple: true, default: [] as string[] },
	help: { type: 'boolean', default: false },
} as const;

function readCount(name: string, text: string, min: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min) return value;
	throw new Error(`--${name} must be a whole number from ${min}, not "${text}".`);
}

function readParts(text: string): PartName[] {
	const names: string[] = text.split(',').map((name) => name.trim());
	const unknown = names.find((name) => !(partNames as readonly string[]).includes(name));
	if (unknown === undefined) return partNames.filter((name) => names.includes(name));
	throw new Error(`--only knows ${partNames.join(', ')}, not "${unknown}".`);
}

function readSetting(text: string): [string, string] {
	const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
	if (name !== undefined) return [name, value];
	throw new Error(`--env takes NAME=VALUE, not "${text}".`);
}

/**
 * @returns nothing when help was asked for
 * @throws {Error} with a sentence for the user
 */
export function readBenchOptions(args: string[]): BenchOptions | undefined {
	const { values } = parseArgs({ args, options: flags });
	if (values.help) return undefined;
	return {
		items: readCount('items', values.items, 20),
		rounds: readCount('rounds', values.rounds, 1),
		only: readParts(values.only),
		env: Object.fromEntries(values.env.map(readSetting)),
	};
}
