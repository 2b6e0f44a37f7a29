import { parseArgs } from 'node:util';

import { check } from './check';
import { kinds, playKind, shrinkKind } from './kinds';

const help = `npm run simulate -- --minutes 60   searches with fresh seeds
  --worlds N   ends after N seeds
  --seed N     begins with this seed; alone, it tells the story of its worlds
  --messages, --codes   plays only these; without them, each seed plays one of each kind
  --check      plays the fixed seeds and worlds.json, and prints what is wrong as JSON`;

Error.stackTraceLimit = 0;

async function main(): Promise<void> {
	const options = {
		minutes: { type: 'string' },
		worlds: { type: 'string' },
		seed: { type: 'string' },
		messages: { type: 'boolean' },
		codes: { type: 'boolean' },
		check: { type: 'boolean' },
		help: { type: 'boolean' },
	} as const;
	const { values } = parseArgs({ options });
	if (values.help) return console.log(help);
	if (values.check) return console.log(JSON.stringify(await check()));
	const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
	const end = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : Infinity;
	const most = Number(values.worlds ?? (values.minutes ? Infinity : 1));
	const chosen = kinds.filter(({ name }) => values[name as 'codes']);
	const found = new Map<string, number>();
	let played = 0;
	for (; played < most && Date.now() < end; played += 1) {
		for (const kind of chosen.length > 0 ? chosen : kinds) {
			const world = kind.draw(first + played);
			const { violations, tell } = await playKind(kind, world);
			if (most === 1) console.log(tell());
			for (const sign of new Set(violations.map((one) => one.sign))) {
				const name = `${kind.name}: ${sign}`;
				found.set(name, (found.get(name) ?? 0) + 1);
				if (found.get(name) === 1)
					console.log(
						`\n=== Seed ${first + played} (${name})\n${await shrinkKind(kind, world, sign)}`,
					);
			}
		}
	}
	console.log(`\n${played} seeds from ${first} on`);
	for (const [name, count] of found) console.log(`${String(count).padStart(6)}  ${name}`);
	process.exitCode = found.size > 0 ? 1 : 0;
}

void main();
