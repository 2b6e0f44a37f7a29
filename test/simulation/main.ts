import { parseArgs } from 'node:util';

import { check } from './check';
import { judge } from './invariants';
import { printPairs } from './pairs';
import { kinds, playKind, shrinkKind } from './kinds';
import { search, shrinkFind, type Find } from './search';
import { Shares } from './shares';
import { tell } from './story';
import { abridge } from './world';

const help = `npm run simulate -- --minutes 60   searches with fresh seeds
  --worlds N   ends after N worlds
  --seed N     begins with this seed; alone, it tells the story of its world
  --messages, --codes, --receipts, --waits   plays only these; without them, each seed plays one of each kind
  --all        tells each known fault too, when it is first found
  --pairs      plays each pair of shapes of a service, and prints which invariants break; --singly: each alone
  --check      plays the fixed seeds and worlds.json, and prints what is wrong as JSON`;

Error.stackTraceLimit = 0;

function describe({ seed, fault, world, book }: Find, worlds: number): string {
	const name = fault ? `known: ${fault.name}` : 'NEW';
	const story = tell(world, book, judge(world, book));
	return `\n=== Seed ${seed}, world ${worlds} (${name})\n${story}\n${JSON.stringify(abridge(world))}`;
}

async function main(): Promise<void> {
	const options = {
		minutes: { type: 'string' },
		worlds: { type: 'string' },
		seed: { type: 'string' },
		messages: { type: 'boolean' },
		codes: { type: 'boolean' },
		receipts: { type: 'boolean' },
		waits: { type: 'boolean' },
		all: { type: 'boolean' },
		check: { type: 'boolean' },
		pairs: { type: 'boolean' },
		singly: { type: 'boolean' },
		help: { type: 'boolean' },
	} as const;
	const { values } = parseArgs({ options });
	if (values.help) return console.log(help);
	if (values.check) return console.log(JSON.stringify(await check()));
	if (values.pairs) {
		const failing = await printPairs(console.log, values.singly ? 1 : 2);
		process.exitCode = failing > 0 ? 1 : 0;
		return;
	}
	const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
	const end = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : Infinity;
	const most = Number(values.worlds ?? (values.minutes ? Infinity : 1));
	const shares = new Shares();
	const known = new Map<string, number>();
	let news = 0;
	let spent = 0;
	const chosen = ['messages', ...kinds.map(({ name }) => name)].filter(
		(name) => values[name as 'codes'],
	);
	const isPlayed = (name: string) => chosen.length === 0 || chosen.includes(name);
	const playOthers = async (seed: number): Promise<void> => {
		for (const kind of kinds.filter(({ name }) => isPlayed(name))) {
			const world = kind.draw(seed);
			const { violations, tell: tellIt } = await playKind(kind, world);
			if (most === 1) console.log(tellIt());
			for (const sign of new Set(violations.map((one) => one.sign))) {
				const name = `NEW ${kind.name}: ${sign}`;
				known.set(name, (known.get(name) ?? 0) + 1);
				news += 1;
				if (known.get(name) === 1)
					console.log(`\n=== Seed ${seed} (${name})\n${await shrinkKind(kind, world, sign)}`);
			}
		}
	};
	let worlds = 0;
	for (; worlds < most && Date.now() < end; worlds += 1) {
		const begun = process.cpuUsage();
		await playOthers(first + worlds);
		if (!isPlayed('messages')) {
			spent += process.cpuUsage(begun).user / 1000;
			continue;
		}
		const { world, book, finds } = await search(first + worlds);
		spent += process.cpuUsage(begun).user / 1000;
		shares.add(world, book);
		if (most === 1) console.log(tell(world, book, judge(world, book)));
		for (const find of finds) {
			const name = find.fault?.name ?? `NEW ${find.violation.sign}`;
			const count = (known.get(name) ?? 0) + 1;
			known.set(name, count);
			if (!find.fault) news += 1;
			if (count > 1 || (find.fault && !values.all)) continue;
			console.log(describe(await shrinkFind(find), worlds + 1));
		}
	}
	if (most > 1 && isPlayed('messages')) console.log(`\n${shares.describe()}`);
	console.log(
		`\n${worlds} worlds from seed ${first}, ${(spent / worlds).toFixed(1)} ms of processor time each`,
	);
	for (const [name, count] of known) console.log(`${String(count).padStart(6)}  ${name}`);
	process.exitCode = news > 0 ? 1 : 0;
}

void main();
