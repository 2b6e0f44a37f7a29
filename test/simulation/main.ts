import { parseArgs } from 'node:util';

import { check } from './check';
import { draw } from './draw';
import { tellSmallest } from './shrink';
import { tryWorld } from './tryWorld';

const help = `npm run simulate -- --minutes 60   searches with fresh seeds
  --worlds N   ends after N seeds
  --seed N     begins with this seed; alone, it tells the story of its world
  --check      plays the fixed seeds and worlds.json, and prints what is wrong as JSON`;

Error.stackTraceLimit = 0;

async function main(): Promise<void> {
	const options = {
		minutes: { type: 'string' },
		worlds: { type: 'string' },
		seed: { type: 'string' },
		check: { type: 'boolean' },
		help: { type: 'boolean' },
	} as const;
	const { values } = parseArgs({ options });
	if (values.help) return console.log(help);
	if (values.check) return console.log(JSON.stringify(await check()));
	const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
	const end = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : Infinity;
	const most = Number(values.worlds ?? (values.minutes ? Infinity : 1));
	const found = new Map<string, number>();
	let played = 0;
	for (; played < most && Date.now() < end; played += 1) {
		const world = draw(first + played);
		const { violations, tell } = await tryWorld(world);
		if (most === 1) console.log(tell());
		for (const sign of new Set(violations.map((one) => one.sign))) {
			found.set(sign, (found.get(sign) ?? 0) + 1);
			if (found.get(sign) === 1)
				console.log(`\n=== Seed ${first + played} (${sign})\n${await tellSmallest(world, sign)}`);
		}
	}
	console.log(`\n${played} seeds from ${first} on`);
	for (const [sign, count] of found) console.log(`${String(count).padStart(6)}  ${sign}`);
	process.exitCode = found.size > 0 ? 1 : 0;
}

void main();
