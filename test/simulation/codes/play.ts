import { parse, stringify } from 'flatted';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { Chance } from '../chance';
import { Clock } from '../clock';
import { notations, unreadable, type CodeWorld, type Entry, type Page, type Visit } from './world';
import type { CodeAttempt, CodeBook, CodeItem, CodeOutput, CodeRequest, IssuedCode } from './book';
import { CodeService, ownerOf } from './service';
import { createCodeContext } from './node';
import { exchange } from '../n8n';
import { passTime, unhandled } from '../play';
import { Processes, type SimulatedProcess } from '../process';

/** One execution of a node, with what n8n keeps of it. */
interface Start {
	node: CodeAttempt['node'];
	run: string;
	runIndex: number;
	items: CodeItem[];
	processOf(): SimulatedProcess;
	kill?: Page['kill'];
	/** Milliseconds before each retry by hand. */
	retries: number[];
}

/** Plays a world from its beginning to its end. */
export async function playCodes(world: CodeWorld): Promise<CodeBook> {
	return await new CodePlay(world).play();
}

class CodePlay {
	private readonly clock = new Clock();
	private readonly service: CodeService;
	private readonly book: CodeBook;
	private readonly processes: Processes;
	private order = 0;

	constructor(private readonly world: CodeWorld) {
		const chance = new Chance(world.seed);
		const digit = () => String(chance.between(0, 9));
		const createCode = (length: number): string => {
			const code = Array.from({ length }, digit).join('');
			// Years are no codes: they are in each response.
			return /^20[0-9]{2}$/.test(code) ? createCode(length) : code;
		};
		this.processes = new Processes(this.clock, chance);
		this.service = new CodeService(world, this.clock, createCode);
		const { codes } = this.service;
		this.book = { attempts: [], requests: [], codes, timersLeft: 0, unhandled: [] };
	}

	async play(): Promise<CodeBook> {
		unhandled.length = 0;
		const { book, clock } = this;
		for (const { atMs, aheadMs } of this.world.clock ?? [])
			clock.setTimer(() => void (clock.aheadMs = aheadMs), atMs);
		const lives = this.world.visits.map(async (visit, n) => await this.visit(visit, n));
		await passTime(clock, lives);
		for (const one of book.attempts) if (one.state === 'running') one.state = 'hung';
		const end = clock.now + 60_000;
		while (await clock.step(end));
		book.timersLeft = clock.pending;
		book.unhandled = [...unhandled];
		return book;
	}

	private async visit({ atMs, people, pages, ...visit }: Visit, n: number): Promise<void> {
		const { clock } = this;
		await clock.sleep(atMs);
		const asked = people.map((person) => ({
			json: { to: person.to } as IDataObject,
			...{ person, digits: '' },
		}));
		const request = {
			node: 'OtpRequest' as const,
			run: `visit ${n + 1}`,
			runIndex: 0,
			items: asked,
		};
		const processOf = () => this.processes.of(visit.process);
		const sent = await this.live({ ...visit, ...request, processOf }, { memory: stringify({}) });
		const ids = people.map((_, item) => readId(sent, item));
		const saved = { memory: stringify({}) };
		let last: CodeAttempt | undefined = sent;
		for (const [runIndex, { afterMs, entries, process, ...page }] of pages.entries()) {
			if (!last?.isFinal) return;
			await clock.sleep(afterMs);
			const items = entries
				.filter(({ person, idOf }) => person < people.length && (idOf !== 'own' || ids[person]))
				.map((entry) => this.type(entry, people[entry.person], ids[entry.person]));
			if (items.length === 0) continue;
			const run = `visit ${n + 1}, page ${runIndex + 1}`;
			const check = { node: 'OtpVerify' as const, run, runIndex, items };
			last = await this.live(
				{ ...page, ...check, processOf: () => this.processes.of(process) },
				saved,
			);
		}
	}

	/** What somebody enters, and what it means. */
	private type(entry: Entry, person: CodeItem['person'], ownId: unknown): CodeItem {
		const { codes } = this.service;
		const own = codes.filter(({ phone }) => ownerOf(phone) === person.phone);
		const other = codes.filter(({ phone }) => ownerOf(phone) !== person.phone).at(-1);
		const guess = (own.at(-1)?.code ?? '024680').replace(/\d/g, (digit) =>
			String((+digit + 1) % 10),
		);
		const byName: Record<Entry['code'], IssuedCode | undefined> = {
			...{ own: own.at(-1), earlier: own[0], other, wrong: undefined },
		};
		const digits = byName[entry.code]?.code ?? guess;
		const isReadable = !unreadable.includes(entry.notation);
		const written = person.phone.includes('@') ? person.to : `+${person.phone}`;
		const expected = {
			...{ own: person.phone ? written : '', other: other?.phone ?? '09799999999' },
			...{ empty: '', missing: undefined, garbage: 'n/a' },
		}[entry.expected];
		const json = {
			requestId: { own: ownId, other: other?.id ?? ownId, unknown: 999_999_999 }[entry.idOf],
			code: notations[entry.notation](digits),
			expectedTo: expected,
		} as IDataObject;
		return { json, person, entry, digits: isReadable ? digits : '' };
	}

	/** An execution of a node and its retries by hand; the last attempt. */
	private async live(start: Start, saved: { memory: string }): Promise<CodeAttempt | undefined> {
		let last = await this.execute(start, saved, start.processOf(), true);
		for (const waitMs of start.retries) {
			// n8n offers no retry of what has succeeded.
			if (!last || !['threw', 'killed'].includes(last.state)) break;
			const hasMemory = last.state === 'threw';
			await this.clock.sleep(waitMs);
			last = await this.execute({ ...start, kill: undefined }, saved, start.processOf(), hasMemory);
		}
		return last;
	}

	/** Runs a node, with Retry On Fail, as n8n does. */
	private async execute(
		start: Start,
		saved: { memory: string },
		process: SimulatedProcess,
		isKept: boolean,
	): Promise<CodeAttempt | undefined> {
		const { clock, world } = this;
		const settings = start.node === 'OtpRequest' ? world.request : world.verify;
		// n8n has saved nothing of an execution whose process was killed.
		const memory = parse(saved.memory) as IDataObject;
		let last: CodeAttempt | undefined;
		const died = new Promise<void>((resolve) => process.onKill(resolve));
		const goOn = async (): Promise<void> => {
			for (let n = 1; ; n += 1) {
				last = await this.attempt(start, memory, process, isKept || n > 1);
				const { error } = last.outputs[0]?.[0]?.json ?? {};
				const isFailed = last.state === 'threw' || (error ?? false) !== false;
				saved.memory = last.memory;
				last.isFinal = last.state === 'returned' && (!isFailed || n >= settings.tries);
				if (!isFailed || n >= settings.tries) return;
				await clock.sleep(settings.waitBetweenTries, process.name);
			}
		};
		await Promise.race([goOn(), died]);
		if (!process.isAlive) {
			saved.memory = stringify({});
			last = this.book.attempts.filter(({ run }) => run === start.run).at(-1) ?? last;
			if (last) Object.assign(last, { state: 'killed', isFinal: false });
		}
		return last;
	}

	private async attempt(
		start: Start,
		memory: IDataObject,
		process: SimulatedProcess,
		hasMemory: boolean,
	): Promise<CodeAttempt> {
		const { clock, world, book } = this;
		const { node, run, items } = start;
		const attempt: CodeAttempt = {
			...{ node, run, hasMemory, items, process: process.name, begunAt: clock.now },
			settings: node === 'OtpRequest' ? world.request : world.verify,
			...{ order: (this.order += 1), state: 'running', outputs: [], requests: [] },
			...{ memory: '', isFinal: false },
		};
		book.attempts.push(attempt);
		let current = 0;
		const look = (item: number) => void (current = item);
		const call = async (options: IHttpRequestOptions) =>
			await this.call(attempt, current, options, { process, kill: start.kill });
		const { runIndex } = start;
		const context = createCodeContext(world, attempt, { runIndex, memory, process, look, call });
		const result = await Promise.resolve(process.node(node).execute?.call(context)).then(
			(outputs) => ({ state: 'returned' as const, outputs: outputs as CodeOutput[][] }),
			(error: CodeAttempt['error']) => ({ state: 'threw' as const, error }),
		);
		const end = { endedAt: clock.now, endOrder: (this.order += 1), memory: stringify(memory) };
		return Object.assign(attempt, result, end);
	}

	/** One HTTP request, as n8n's helper makes it. */
	private async call(
		attempt: CodeAttempt,
		item: number,
		options: IHttpRequestOptions,
		{ process, kill }: { process: SimulatedProcess; kill?: Page['kill'] },
	): Promise<unknown> {
		const { clock, book } = this;
		const request: CodeRequest = {
			kind: options.url.endsWith('/verify') ? 'check' : 'request',
			...{ attempt, item, at: clock.now, order: (this.order += 1) },
			query: (options.qs ?? {}) as Record<string, unknown>,
		};
		book.requests.push(request);
		attempt.requests.push(request);
		const all = book.requests.filter((one) => one.attempt.run === attempt.run).length;
		if (kill?.request === all) clock.setTimer(() => process.kill(), kill.afterMs);
		const reply = this.service.reply(request);
		return await exchange({ clock, process, options, reply }, (got, headers = {}) => {
			const retryAfterMs = Number(headers['retry-after'] ?? 0) * 1000;
			const end = { endedAt: clock.now, endOrder: (this.order += 1) };
			Object.assign(request, { got, retryAfterMs, ...end });
		});
	}
}

function readId(attempt: CodeAttempt | undefined, item: number): unknown {
	const outputs = attempt?.outputs.flat() ?? [];
	const own = outputs.find(({ pairedItem }) => (pairedItem as { item: number }).item === item);
	return own?.json.requestId;
}
