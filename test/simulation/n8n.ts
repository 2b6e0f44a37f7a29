import { parse, stringify } from 'flatted';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Attempt, Book, Reply, Request } from './book';
import type { Clock } from './clock';
import type { SimulatedProcess } from './process';
import { Service, usualSender } from './service';
import { rowsOfPass, type Row, type Start, type World } from './world';

/** What all executions of a world share. */
const triggerNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

export interface Stage {
	world: World;
	clock: Clock;
	service: Service;
	book: Book;
	newExecutionId(): string;
}

/** What n8n saves of a failed execution. */
export interface Saved {
	context: string;
	pass: number;
	rows: Row[];
	/** Whether the node has run: it then gets its input as it was. */
	hasRun: boolean;
}

export interface Execution {
	start: Start;
	family: number;
	/** 0 is the original. */
	number: number;
	process: SimulatedProcess;
	establishedAt: number;
	apiKey: string;
	saved: Saved;
	hasMemory: boolean;
}

export type Ending = { status: 'success' | 'error' | 'crashed' | 'canceled'; saved: Saved };

const account = {
	...{ baseUrl: 'https://sms.example.com/api', serviceTimeZone: 'Asia/Yangon', onlySendTo: '' },
	...{ apiKey: 'key-of-the-account', apiSecret: 'secret-of-the-account' },
};

/** Runs the rounds of a loop, each with Retry On Fail, as n8n does. */
export async function execute(stage: Stage, execution: Execution): Promise<Ending> {
	const { world, clock } = stage;
	const { saved, process } = execution;
	const run = new Run(stage, execution);
	// n8n has saved nothing of an execution whose process was killed, or that was stopped.
	const lost = { ...saved, context: stringify({}), pass: 0 };
	const died = new Promise<Ending>((resolve) => {
		process.onKill(() => resolve({ status: 'crashed', saved: lost }));
	});
	const goThrough = async (): Promise<Ending> => {
		for (let pass = saved.pass; pass < world.passes; pass += 1) {
			const rows = rowsOfPass(saved.rows, pass, world.passes);
			if (rows.length === 0) continue;
			for (let n = 1; ; n += 1) {
				const attempt = await run.attempt(pass, n, rows);
				const { error } = (attempt.items[0]?.json ?? {}) as { error?: unknown };
				const isFailed = attempt.state === 'threw' || (error ?? false) !== false;
				if (run.isStopped) return { status: 'canceled', saved: lost };
				if (isFailed && n < world.tries) {
					await clock.sleep(world.waitBetweenTries, process.name);
					if (run.isStopped) return { status: 'canceled', saved: lost };
					continue;
				}
				if (attempt.state !== 'threw' || world.onError !== 'stopWorkflow') break;
				const context = stringify(run.context);
				return { status: 'error', saved: { ...saved, context, pass, hasRun: true } };
			}
		}
		return { status: 'success', saved };
	};
	return await Promise.race([goThrough(), died]);
}

/** One execution while it runs. */
class Run {
	/** Memory of the node over tries and loops; retries by hand get it as it was saved. */
	readonly context: IDataObject;
	private readonly stop = new AbortController();
	private readonly id: string;
	private stoppedAt?: number;
	private requests = 0;

	constructor(
		private readonly stage: Stage,
		private readonly execution: Execution,
	) {
		this.context = parse(execution.saved.context) as IDataObject;
		this.id = stage.newExecutionId();
	}

	get isStopped(): boolean {
		return this.stop.signal.aborted;
	}

	/** One try: the node runs from its first item to its last. */
	async attempt(pass: number, n: number, rows: Row[]): Promise<Attempt> {
		const { book, clock, world } = this.stage;
		const { family, number, process, start, hasMemory } = this.execution;
		const attempt: Attempt = {
			...{ family, execution: number, pass, try: n, process: process.name, kind: start.kind },
			...{
				apiKey: this.execution.apiKey,
				isRetry: number > 0,
				hasMemory,
				rows,
				begunAt: clock.now,
				state: 'running',
			},
			...{ texts: [], items: [], hints: [], requests: [], kept: 0 },
		};
		const isChanging = world.isTextChanging && start.kind !== 'tool';
		attempt.texts = rows.map(({ text }) => (isChanging ? `${text} ${clock.now}` : text));
		book.attempts.push(attempt);
		const node = process.node(world.node);
		process.onKill(() => {
			if (attempt.state === 'running')
				Object.assign(attempt, { state: 'killed', endedAt: clock.now });
		});
		const context = this.createContext(attempt);
		const result = await Promise.resolve(node.execute?.call(context)).then(
			(outputs) => ({ state: 'returned' as const, items: (outputs as INodeExecutionData[][])[0] }),
			(error: Error & { description?: string }) => {
				const { message, description } = error;
				return { state: 'threw' as const, error: { message, description: description ?? '' } };
			},
		);
		const pages = (this.context.ledger ?? {}) as Record<string, { notes: object }>;
		const kept = Object.keys(pages[start.kind === 'tool' ? 'tool' : pass]?.notes ?? {}).length;
		return Object.assign(attempt, result, { endedAt: clock.now, stoppedAt: this.stoppedAt, kept });
	}

	private describeNode(): INode {
		const { kind, workflow } = this.execution.start;
		const { node, onError, tries, waitBetweenTries, options } = this.stage.world;
		const isDryRun = kind === 'dryRun' && { dryRun: true };
		const type = `n8n-nodes-messaging-service.${node[0].toLowerCase()}${node.slice(1)}`;
		const isWaiting = node === 'SmsSendAndWaitForResponse';
		const parameters = {
			to: '={{ $json.to }}',
			message: '={{ $json.text }}',
			from: '={{ $json.from }}',
			simplify: false,
			...(isWaiting && { operation: 'sendAndWait', responseType: 'approval' }),
			...(node === 'SmsSendAndWait' && { waitFor: 'anyFinal', timeLimit: 5 }),
			...isDryRun,
			options,
		};
		return {
			id: `node-${workflow}`,
			name: 'Send',
			type: kind === 'tool' ? `${type}Tool` : type,
			typeVersion: 1,
			position: [0, 0],
			parameters: parameters as INode['parameters'],
			onError,
			...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries }),
		};
	}

	private createContext(attempt: Attempt): IExecuteFunctions {
		const { world } = this.stage;
		const { execution, id } = this;
		const { apiKey, establishedAt, process, start, number } = execution;
		const node = this.describeNode();
		const isTool = start.kind === 'tool';
		const items = attempt.rows.map(({ to, ref, from = usualSender }, item) => ({
			json: { to, text: attempt.texts[item], ref, from, ...(isTool && { toolCallId: 'call' }) },
			pairedItem: { item },
		}));
		const resumeUrl = `https://n8n.example.com/webhook-waiting/${id}?signature=token`;
		const evaluate = (expression: string, item: number) =>
			toEvaluator(expression)(items[item]?.json, attempt.pass, { resumeUrl });
		const call = async (options: IHttpRequestOptions) => await this.call(attempt, options);
		return {
			getNode: () => node,
			getInputData: () => items,
			getTimezone: () => 'Asia/Yangon',
			getExecuteData: () => ({ data: { main: [items] }, node, source: null }),
			getCredentials: async () => ({ ...account, apiKey, serviceTimeZone: world.serviceTimeZone }),
			getNodeParameter: (name: string, item: number, otherwise?: unknown) => {
				const raw = name
					.split('.')
					.reduce((at: unknown, key) => (at as IDataObject)?.[key], node.parameters);
				return raw === undefined ? otherwise : fillIn(raw, (one) => evaluate(one, item));
			},
			evaluateExpression: evaluate,
			continueOnFail: () => node.onError !== 'stopWorkflow',
			logger: { info() {}, warn() {}, debug() {}, error() {} },
			helpers: { httpRequestWithAuthentication: signed(process, call) },
			getContext: () => this.context,
			getMode: () => (number > 0 ? 'retry' : world.isManual ? 'manual' : 'trigger'),
			getExecutionId: () => id,
			getExecutionContext: () => ({ version: 1, establishedAt, source: 'trigger', triggerNode }),
			getExecutionCancelSignal: () => this.stop.signal,
			getNodeOutputs: () => [{ type: isTool ? 'ai_tool' : 'main' }],
			getWorkflow: () => ({ id: `workflow-${start.workflow}`, name: 'Send', active: true }),
			addExecutionHints: (...hints: Array<{ message: string }>) =>
				attempt.hints.push(...hints.map(({ message }) => message)),
			getSignedResumeUrl: (query: Record<string, string>) =>
				`https://n8n.example.com/webhook-waiting/${id}/${node.id}?${new URLSearchParams(query).toString()}&signature=${'0'.repeat(64)}`,
			putExecutionToWait: async () => undefined,
		} as unknown as IExecuteFunctions;
	}

	/** One HTTP request, as n8n's helper makes it. */
	private async call(attempt: Attempt, options: IHttpRequestOptions): Promise<unknown> {
		const { clock, service, book } = this.stage;
		const { process } = this.execution;
		const path = new URL(options.url).pathname.replace('/api', '');
		const query = (options.qs ?? {}) as Record<string, unknown>;
		const body: unknown = options.body === undefined ? undefined : JSON.parse(String(options.body));
		const account = String(options.headers?.Authorization ?? query.accessToken).replace(
			/^\w+ /,
			'',
		);
		const request: Request = {
			...{ attempt, at: clock.now, stored: [] },
			kind: path.includes('/send') ? 'send' : 'read',
			numbers: Service.numbersOf(path, query, body),
		};
		book.requests.push(request);
		attempt.requests.push(request);
		this.letItHappen();
		const reply = service.reply({ path, query, body, account, request });
		return await exchange({ clock, process, options, reply }, (got, headers = {}) => {
			const seconds = Number(headers['retry-after'] ?? NaN);
			if (Number.isFinite(seconds)) request.retryAfterMs = seconds * 1000;
			Object.assign(request, { endedAt: clock.now, got });
		});
	}

	/** Stop and kill at their requests. */
	private letItHappen(): void {
		const { clock } = this.stage;
		const { start, process, number } = this.execution;
		this.requests += 1;
		const { kill, stop, failsBefore } = start;
		if (number > (failsBefore ? 1 : 0)) return;
		if (kill?.request === this.requests) clock.setTimer(() => process.kill(), kill.afterMs);
		if (stop?.request !== this.requests) return;
		clock.setTimer(() => {
			this.stoppedAt = clock.now;
			this.stop.abort();
		}, stop.afterMs);
	}
}

/** n8n's helper that signs a request before it is made. */
function signed(
	process: SimulatedProcess,
	call: (options: IHttpRequestOptions) => Promise<unknown>,
) {
	const authenticate = process.credentialType().authenticate as (
		data: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;
	return async (
		_type: string,
		options: IHttpRequestOptions,
		{ credentialsDecrypted }: { credentialsDecrypted: ICredentialsDecrypted },
	) => await call(await authenticate(credentialsDecrypted.data ?? {}, options));
}

interface Exchange {
	clock: Clock;
	process: SimulatedProcess;
	options: IHttpRequestOptions;
	reply: Promise<Reply>;
}

/**
 * The response to an HTTP request, as n8n's helper gives it.
 * @param tell what the node gets, once: a status or the code of a failure
 */
async function exchange(
	{ clock, process, options, reply }: Exchange,
	tell: (got: number | string, headers?: Record<string, string>) => void,
): Promise<unknown> {
	return await new Promise((resolve, reject) => {
		let isOver = false;
		const end = (settle: () => void, ...got: Parameters<typeof tell>) => {
			if (isOver || !process.isAlive) return;
			isOver = true;
			clock.clearTimer(timer);
			tell(...got);
			settle();
		};
		const fail = (code: string) => end(() => reject(networkError(code)), code);
		const signal = options.abortSignal as AbortSignal | undefined;
		signal?.addEventListener('abort', () => fail('ERR_CANCELED'), { once: true });
		const timer = clock.setTimer(() => fail('ECONNABORTED'), Number(options.timeout ?? 300_000));
		void reply.then((one) => {
			if ('code' in one) fail(one.code);
			else if ('status' in one) end(() => resolve(toFullResponse(one)), one.status, one.headers);
		});
	});
}

function networkError(code: string): Error {
	return Object.assign(new Error(code, { cause: { code } }), { httpCode: code });
}

function toFullResponse({ status, headers, text, isCut }: Extract<Reply, { status: number }>) {
	const bytes = Buffer.from(text);
	const body = (async function* () {
		yield isCut ? bytes.subarray(0, bytes.length / 2) : bytes;
		if (isCut) throw networkError('ECONNRESET');
	})();
	return { statusCode: status, headers, body };
}

type Evaluator = (json: unknown, runIndex: number, execution: object) => unknown;
const known = new Map<string, Evaluator>();

/** n8n's expressions, as far as the parameters of our worlds and our nodes use them. */
function toEvaluator(expression: string): Evaluator {
	const found = known.get(expression);
	if (found) return found;
	const inner = /\{\{(.*)\}\}/s.exec(expression)?.[1] ?? 'undefined';
	const evaluator = new Function(
		'$json',
		'$runIndex',
		'$execution',
		`return ${inner}`,
	) as Evaluator;
	known.set(expression, evaluator);
	return evaluator;
}

function fillIn(raw: unknown, evaluate: (expression: string) => unknown): unknown {
	return typeof raw === 'string' && raw.startsWith('=') ? evaluate(raw) : raw;
}
