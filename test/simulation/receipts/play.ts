import { EventEmitter } from 'node:events';

import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Chance } from '../chance';
import { Clock } from '../clock';
import { passTime, unhandled } from '../play';
import { SimulatedProcess } from '../process';
import { forms, type Call, type Fields, type Receipt, type ReceiptWorld } from './world';

export const secret = 'secret-of-the-trigger';
const secrets: Record<Call['secret'], unknown> = {
	...{ right: secret, wrong: `${secret.slice(0, -1)}x`, short: secret.slice(0, -1) },
	...{ missing: undefined, twice: [secret, secret] },
};

/** A call that came, or its repeat. */
export interface Came {
	call: Call;
	process: string;
	at: number;
	endedAt?: number;
	/** The response; none if the process was killed. */
	status?: number;
	text?: string;
}

export interface Started {
	trigger: Call['trigger'];
	process: string;
	at: number;
	items: IDataObject[];
	/** The call that started it. */
	of: Came;
}

export interface ReceiptBook {
	calls: Came[];
	executions: Started[];
	log: string[];
	timersLeft: number;
	unhandled: string[];
}

/** The response of Node, as far as n8n and the trigger use it. */
export class HttpResponse extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	text = '';

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	type(): this {
		return this;
	}

	send(text: string): this {
		this.text = text;
		this.writableEnded = true;
		this.emit('prefinish');
		return this;
	}
}

/** The fields of a receipt, as the service writes them. */
export function write({ number }: ReceiptWorld, receipt: Receipt): Fields {
	const { message, status, spelling, clientReference, updatedAt } = receipt;
	const digits = `95979100000${message}`;
	const whole = { usual: digits, plus: `+${digits}`, national: digits.replace('95', '0') }[
		spelling
	];
	const to = { usual: whole, masked: '959*******', missing: undefined }[number];
	return { messageId: `m-${message}`, to, clientReference, status, updatedAt };
}

/** Plays a world from its beginning to its end. */
export async function playReceipts(world: ReceiptWorld): Promise<ReceiptBook> {
	unhandled.length = 0;
	const clock = new Clock();
	const chance = new Chance(world.seed);
	const book: ReceiptBook = { calls: [], executions: [], log: [], timersLeft: 0, unhandled: [] };
	const processes = new Map<number, SimulatedProcess>();
	const names = new Set<string>();
	const processOf = (n: number) => {
		const known = processes.get(n);
		if (known?.isAlive) return known;
		const name = `process ${names.size + 1}`;
		const process = new SimulatedProcess(name, clock, chance);
		names.add(name);
		processes.set(n, process);
		return process;
	};
	let starts = 0;

	/** n8n saves an execution, and responds. */
	async function start(
		came: Came,
		process: SimulatedProcess,
		result: IWebhookResponseData,
		response: HttpResponse,
	) {
		const { workflowData } = result;
		if (result.noWebhookResponse) return;
		if (workflowData) {
			const { ms, fails } = world.starts[starts++] ?? { ms: 20, fails: false };
			await clock.sleep(ms, process.name);
			if (fails) return void response.status(500).send('Internal error');
			const items = workflowData[0].map(({ json }) => ({ ...json }));
			const { trigger } = came.call;
			book.executions.push({ trigger, process: process.name, at: clock.now, items, of: came });
		}
		response.status(200).send(String(result.webhookResponse ?? ''));
	}

	async function come(call: Call): Promise<Came> {
		const process = processOf(call.process);
		const came: Came = { call, process: process.name, at: clock.now };
		book.calls.push(came);
		const response = new HttpResponse();
		const died = new Promise<void>((resolve) => process.onKill(resolve));
		const node = process.node('SmsReceiptTrigger');
		const context = createContext(world, call, response, book);
		const respond = async () => {
			// What the trigger throws, n8n makes a failed execution of; the trigger has responded.
			const result = await node.webhook?.call(context).catch(() => ({ noWebhookResponse: true }));
			if (process.isAlive) await start(came, process, result!, response);
			if (!process.isAlive) return;
			Object.assign(came, { status: response.statusCode, text: response.text, endedAt: clock.now });
		};
		await Promise.race([respond(), died]);
		return came;
	}

	for (const { atMs, process } of world.kills)
		clock.setTimer(() => processes.get(process)?.kill(), atMs);
	const lives = world.calls.map(async (call) => {
		await clock.sleep(call.atMs);
		for (const waitMs of [...call.repeats, 0]) {
			const { status = 0 } = await come(call);
			if (status >= 200 && status < 300) break;
			await clock.sleep(waitMs);
		}
	});
	await passTime(clock, lives);
	const end = clock.now + 60_000;
	while (await clock.step(end));
	return { ...book, timersLeft: clock.pending, unhandled: [...unhandled] };
}

/** All that the trigger calls on `this`. */
function createContext(
	world: ReceiptWorld,
	call: Call,
	response: HttpResponse,
	{ log }: ReceiptBook,
): IWebhookFunctions {
	const { statuses, passOnRepeats, authentication, hasAllowlist } = world;
	const wire = forms[call.form](
		call.receipts.map((one) => JSON.parse(JSON.stringify(write(world, one))) as Fields),
	);
	const parameters = {
		statuses,
		options: {
			...(authentication !== 'none' && { secret: authentication === 'empty' ? null : secret }),
			...(passOnRepeats && { passOnRepeats }),
			...(hasAllowlist && { ipAllowlist: '203.0.113.0/24' }),
		},
	};
	const raw = wire.text === undefined ? undefined : Buffer.from(wire.text);
	const isRead = wire.type !== 'text/x-unknown';
	const request = {
		headers: {
			'content-type': wire.type,
			...(call.form !== 'chunked' && { 'content-length': String(raw?.length ?? 200) }),
		},
		ip: call.address,
		rawBody: isRead ? raw : undefined,
		readRawBody: async () => {
			request.rawBody = raw ?? Buffer.from('');
		},
	};
	const given = secrets[call.secret];
	const query = { ...wire.query, ...(given !== undefined && { secret: given }) };
	return {
		getMode: () => 'webhook',
		getNode: () => ({ id: `trigger-${call.trigger}`, name: 'Receipts', parameters }),
		getWorkflow: () => ({ id: 'workflow', name: 'Receipts', active: true }),
		getRequestObject: () => request,
		getResponseObject: () => response,
		getQueryData: () => query,
		getBodyData: () => wire.body,
		getNodeParameter: (path: string, otherwise?: unknown) => {
			const value = path
				.split('.')
				.reduce((at: unknown, key) => (at as IDataObject | undefined)?.[key], parameters);
			return value === undefined ? otherwise : value;
		},
		logger: { info() {}, warn: (text: string) => void log.push(text), debug() {}, error() {} },
	} as unknown as IWebhookFunctions;
}
