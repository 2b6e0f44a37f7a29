import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { Reply } from '../book';
import { Chance } from '../chance';
import { beginning, Clock } from '../clock';
import { exchange, fillIn, signed, toEvaluator } from '../n8n';
import { unhandled } from '../play';
import { SimulatedProcess } from '../process';
import { HttpResponse } from '../receipts/play';
import { numbers, ownNumber, wires, type WaitCall, type WaitWorld } from './world';

/** A call of the service to a waiting address, and the response. */
export interface Called {
	by: WaitCall;
	at: number;
	status: number;
	text: string;
}

export interface WaitBook {
	calls: Called[];
	/** Texts of the messages that the service got. */
	sent: string[];
	/** When n8n began to wait, until when, and until when the node says that it waits. */
	waits?: { at: number; till: number; until: number };
	/** Each end of the execution: by the node at once, by a call, or by n8n's time limit. */
	ends: Array<{ at: number; by: 'node' | 'call' | 'limit' | 'error'; items: IDataObject[] }>;
	sentAt: number;
	timersLeft: number;
	unhandled: string[];
}

const finals = ['Delivered', 'Success', 'Failed', 'Undelivered'];

/** Plays a world from its beginning to its end. */
export async function playWaits(world: WaitWorld): Promise<WaitBook> {
	unhandled.length = 0;
	const clock = new Clock();
	const chance = new Chance(world.seed);
	const book: WaitBook = { calls: [], sent: [], ends: [], sentAt: 0, timersLeft: 0, unhandled: [] };
	let process = new SimulatedProcess('process 1', clock, chance);
	let memory: IDataObject = {};
	/** n8n's data of the run: the node replaces its input before it waits. */
	const run = { data: { main: [[{ json: { name: 'Ma Su' } }]] }, node: {} };
	let state: 'running' | 'saving' | 'waiting' | 'ended' = 'running';
	let receiptUrl = '';
	let reads = 0;

	const end = (by: WaitBook['ends'][number]['by'], items: INodeExecutionData[] = []) => {
		state = 'ended';
		book.ends.push({ at: clock.now, by, items: items.map(({ json }) => json) });
	};
	const toRecord = (to: unknown): IDataObject => {
		const now = clock.now - book.sentAt;
		const latest = world.statuses.filter(({ atMs }) => atMs <= now).at(-1);
		const { status, atMs } = latest ?? { status: 'Accepted', atMs: 0 };
		const isFinal = finals.includes(status);
		const write = (at: number) =>
			new Date(at + 390 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
		return {
			...{ messageId: 'm-1', message: 'Hello', from: 'MyShop', clientReference: null, status },
			...{ to, createdAt: write(book.sentAt), network: 'MPT', type: 'sms.text', messageCount: 1 },
			finishedAt: isFinal ? write(book.sentAt + atMs) : null,
		} as IDataObject;
	};
	const respond = async (options: IHttpRequestOptions): Promise<Reply> => {
		await clock.sleep(100);
		const json = (status: number, body: object, isCut = false) => ({
			...{ status, headers: {}, text: JSON.stringify(body), isCut },
		});
		if (options.method === 'POST') {
			const { message, deliveryReceiptUrl } = JSON.parse(String(options.body)) as IDataObject;
			book.sent.push(String(message));
			book.sentAt = clock.now;
			receiptUrl = String(deliveryReceiptUrl);
			for (const call of world.calls) clock.setTimer(() => void come(call), call.atMs);
			return json(201, { messages: [toRecord(ownNumber)] });
		}
		const plan = world.reads[reads++] ?? 'records';
		if (plan === 'unavailable') return json(503, { message: 'Later' });
		const stranger = { ...toRecord('959791000009'), messageId: 'm-9', status: 'Delivered' };
		const messages = [stranger, ...(plan === 'without' ? [] : [toRecord(numbers[world.number])])];
		const page = { messages, limit: 1000, records: messages.length, start: 0, links: {} };
		return json(200, page, plan === 'cut');
	};

	const node = {
		...{ id: 'node', name: 'Send', type: 'n8n-nodes-messaging-service.smsSendAndWait' },
		...{ typeVersion: 1, position: [0, 0], onError: 'stopWorkflow' },
		parameters: {
			...{ to: ownNumber, message: 'Hello', from: 'MyShop', waitFor: world.waitFor },
			...{ timeLimit: world.minutes, simplify: false, options: {} },
		},
	};
	/** All that the node calls on `this`, both times. */
	const createContext = (own: SimulatedProcess) => {
		const resumeUrl = 'https://n8n.example.com/webhook-waiting/1?signature=token';
		const evaluate = (text: string) => {
			const key = /\.context\.(\w+)/.exec(text)?.[1];
			if (key !== undefined) return memory[key];
			return toEvaluator(text)(run.data.main[0][0].json, 0, { resumeUrl });
		};
		const credentials = {
			...{ baseUrl: 'https://sms.example.com/api', apiKey: 'key', apiSecret: 'secret' },
			...{ serviceTimeZone: 'Asia/Yangon', onlySendTo: '' },
		};
		return {
			getContext: () => memory,
			getMode: () => 'trigger',
			getExecutionId: () => '1',
			getExecutionContext: () => ({
				...{ version: 1, establishedAt: beginning, source: 'trigger' },
				triggerNode: { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			}),
			getExecutionCancelSignal: () => undefined,
			getNode: () => node,
			getNodeOutputs: () => [{ type: 'main' }],
			getWorkflow: () => ({ id: 'workflow', name: 'Send', active: true }),
			getInputData: () => [{ json: { name: 'Ma Su' }, pairedItem: { item: 0 } }],
			getParentNodes: () => [],
			getTimezone: () => 'Asia/Yangon',
			getExecuteData: () => run,
			getCredentials: async () => credentials,
			getNodeParameter: (path: string, _item: unknown, otherwise?: unknown) => {
				const parts = path.split('.');
				const raw = parts.reduce((at: unknown, key) => (at as IDataObject)?.[key], node.parameters);
				return raw === undefined ? otherwise : fillIn(raw, evaluate);
			},
			evaluateExpression: evaluate,
			continueOnFail: () => false,
			addExecutionHints: () => undefined,
			logger: { info() {}, warn() {}, debug() {}, error() {} },
			helpers: {
				httpRequestWithAuthentication: signed(own, async (options) => {
					const reply = respond(options);
					return await exchange({ clock, process: own, options, reply }, () => undefined);
				}),
			},
		};
	};

	/** n8n's waiting address. The first call that resumes the execution wins. */
	async function call(
		by: Called['by'],
		url: string,
		{ query, body, type, text }: ReturnType<(typeof wires)['json']>,
	): Promise<Called> {
		const called: Called = { by, at: clock.now, status: 0, text: '' };
		book.calls.push(called);
		const answer = (status: number, words: string) =>
			Object.assign(called, { status, text: words });
		if (state === 'running' || state === 'saving') return answer(409, 'running');
		if (state === 'ended') return answer(409, 'ended');
		const own = process;
		const response = new HttpResponse();
		const given = Object.fromEntries(new URL(url).searchParams);
		const raw = text === undefined ? undefined : Buffer.from(text);
		const context = {
			...createContext(own),
			getQueryData: () => ({ ...given, ...query }),
			getBodyData: () => body ?? {},
			getRequestObject: () => ({ headers: { 'content-type': type }, rawBody: raw, ip: '::1' }),
			getResponseObject: () => response,
		};
		const result = await own
			.node('SmsSendAndWait')
			.webhook?.call(context as unknown as IWebhookFunctions);
		if (!own.isAlive) return answer(0, 'killed');
		if (result?.noWebhookResponse) return answer(response.statusCode, response.text);
		if (result?.workflowData) {
			if (String(state) === 'ended') return answer(409, 'ended');
			end('call', result.workflowData[0]);
		}
		return answer(200, String(result?.webhookResponse));
	}

	async function come(one: WaitCall): Promise<void> {
		const { message, status, form, proof } = one;
		const messageId = message === 'own' ? 'm-1' : 'm-2';
		const to = numbers[world.number];
		const receipt = { messageId, to, status, updatedAt: '2030-01-16 09:31:00' };
		// A list also has the status before.
		const wire = wires[form](
			form === 'list' ? [{ ...receipt, status: 'Sent' }, receipt] : [receipt],
		);
		const url = new URL(receiptUrl);
		const known = String(url.searchParams.get('proof'));
		if (proof === 'missing') url.searchParams.delete('proof');
		if (proof === 'wrong') url.searchParams.set('proof', `${known.slice(0, -1)}x`);
		// The service repeats what is not accepted.
		for (const waitMs of [5_000, 60_000, 0]) {
			const { status: got } = await call(one, url.href, wire as never);
			if (got === 200 || waitMs === 0) return;
			await clock.sleep(waitMs);
		}
	}

	const own = process;
	const context = {
		...createContext(own),
		putExecutionToWait: async (till: Date) => {
			const until = Date.parse(String((run.data.main[0][0].json as IDataObject).waitedUntil));
			book.waits = { at: clock.now, till: till.getTime(), until };
		},
	};
	let isDead = false;
	own.onKill(() => (isDead = true));
	const begun = own.node('SmsSendAndWait').execute?.call(context as unknown as IExecuteFunctions);
	const life = Promise.resolve(begun).then(
		async (outputs) => {
			if (isDead) return;
			if (!book.waits) return end('node', (outputs as INodeExecutionData[][])[0]);
			state = 'saving';
			await clock.sleep(world.saveMs, own.name);
			state = 'waiting';
			// n8n saves text.
			memory = JSON.parse(JSON.stringify(memory)) as IDataObject;
			const item = JSON.parse(JSON.stringify(run.data.main[0][0])) as INodeExecutionData;
			run.data.main = [[item as never]];
			clock.setTimer(
				() => state === 'waiting' && end('limit', [item]),
				book.waits.till - clock.now,
			);
		},
		(error: Error) => end('error', [{ json: { error: error.message } }]),
	);
	if (world.killAtMs !== undefined)
		clock.setTimer(() => {
			own.kill();
			process = new SimulatedProcess('process 2', clock, chance);
		}, world.killAtMs);
	const last = beginning + (world.minutes + 40) * 60_000;
	while (await clock.step(last));
	await Promise.race([life, undefined]);
	return { ...book, timersLeft: clock.pending, unhandled: [...unhandled] };
}
