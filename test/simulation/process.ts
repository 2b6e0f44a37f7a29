import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { buildSync } from 'esbuild';
import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import type { Chance } from './chance';
import type { Clock } from './clock';

export const nodeNames = [
	'SmsSend',
	'SmsBulkSend',
	'SmsSendAndWait',
	'SmsSendAndWaitForResponse',
] as const;
export type NodeName = (typeof nodeNames)[number];

/** What one evaluation of the bundle gives: all of our code, with a memory of its own. */
type Bundle = Record<NodeName, new () => INodeType> & {
	MessagingServiceApi: new () => ICredentialType;
};

/** What a process gets from the machine: everything else would make a seed unrepeatable. Our nodes set no timer. */
const machine = ['Date', 'Math', 'performance'];

type Evaluate = (require: (name: string) => unknown, module: object, ...machine: unknown[]) => void;

const root = join(__dirname, '..', '..');
const requireReal = createRequire(join(root, 'package.json'));

/** Compiled once: a new process is one evaluation of it. */
let compiled: Evaluate | undefined;

function compile(): Evaluate {
	const nodes = nodeNames.map((name) => `export * from './nodes/${name}/${name}.node';`);
	const contents = `${nodes.join('\n')}\nexport * from './credentials/MessagingServiceApi.credentials';`;
	const { outputFiles } = buildSync({
		stdin: { contents, resolveDir: root, loader: 'ts' },
		bundle: true,
		write: false,
		platform: 'node',
		target: 'node20',
		external: ['luxon', 'n8n-workflow'],
	});
	return new Function('require', 'module', ...machine, outputFiles[0].text) as Evaluate;
}

/** The processes of a world. One that was killed is started again. */
export class Processes {
	private readonly known = new Map<number, SimulatedProcess>();
	private begun = 0;

	constructor(
		private readonly clock: Clock,
		private readonly chance: Chance,
	) {}

	of(n: number): SimulatedProcess {
		const known = this.known.get(n);
		if (known?.isAlive) return known;
		const name = `process ${(this.begun += 1)}`;
		const process = new SimulatedProcess(name, this.clock, this.chance);
		this.known.set(n, process);
		return process;
	}
}

/** n8n as it runs in one process of the operating system. Killing it loses what our code keeps in memory. */
export class SimulatedProcess {
	isAlive = true;
	private readonly nodes: Bundle;
	private readonly listeners: Array<() => void> = [];

	constructor(
		readonly name: string,
		private readonly clock: Clock,
		private readonly chance: Chance,
	) {
		const module = { exports: {} };
		const modules = this.createModules();
		const require = (name: string) => modules[name] ?? requireReal(name);
		(compiled ??= compile())(require, module, ...this.createMachine());
		this.nodes = module.exports as Bundle;
	}

	onKill(tell: () => void): void {
		this.listeners.push(tell);
	}

	kill(): void {
		if (!this.isAlive) return;
		this.isAlive = false;
		this.clock.kill(this.name);
		for (const tell of this.listeners) tell();
	}

	node(name: NodeName): INodeType {
		return new this.nodes[name]();
	}

	credentialType(): ICredentialType {
		return new this.nodes.MessagingServiceApi();
	}

	private createModules(): Record<string, object | undefined> {
		const { chance, clock } = this;
		const sleep = async (ms: number) => await clock.sleep(ms, this.name);
		const randomBytes = (size: number) => chance.bytes(size);
		const randomUUID = () => randomBytes(16).toString('hex');
		return {
			'n8n-workflow': Object.create(n8nWorkflow, { sleep: { value: sleep } }) as object,
			'node:crypto': Object.create(crypto, {
				randomBytes: { value: randomBytes },
				randomUUID: { value: randomUUID },
			}) as object,
		};
	}

	/** In the order of `machine`. */
	private createMachine(): unknown[] {
		const { clock, chance } = this;
		const math: unknown = Object.create(Math, { random: { value: chance.next } });
		return [clock.createDate(), math, { now: () => clock.now }];
	}
}
