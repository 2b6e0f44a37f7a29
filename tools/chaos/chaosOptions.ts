import { parseArgs } from 'node:util';
import { scenarios, type Scenario } from './scenarios';

const list = scenarios
	.map(({ name, what, count }) => `  ${name.padEnd(16)} ${what} (${count} messages)`)
	.join('\n');

export const help = `Sends messages through a real n8n while something goes wrong, with SMS Send, SMS Bulk Send and the HTTP Request
node, and counts what arrived.

Usage: npm run chaos -- [options]

  --only NAMES     some of the scenarios below, separated by commas (all)
  --count NUMBER   so many messages for each node, in place of those of the scenario
  --help           show this

${list}
`;

const flags = {
	only: { type: 'string' },
	count: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

function findScenario(name: string): Scenario {
	const found = scenarios.find((scenario) => scenario.name === name.trim());
	if (found) return found;
	const names = scenarios.map((scenario) => scenario.name).join(', ');
	throw new Error(`--only knows ${names}, not "${name.trim()}".`);
}

/**
 * The scenarios that were asked for.
 * @returns nothing when help was asked for
 * @throws {Error} with a sentence for the user
 */
export function readChaosOptions(args: string[]): Scenario[] | undefined {
	const { values } = parseArgs({ args, options: flags });
	if (values.help) return undefined;
	const chosen = values.only === undefined ? scenarios : values.only.split(',').map(findScenario);
	if (values.count === undefined) return chosen;
	const count = Number(values.count);
	if (Number.isInteger(count) && count > 0) return chosen.map((one) => ({ ...one, count }));
	throw new Error(`--count must be a whole number from 1, not "${values.count}".`);
}
