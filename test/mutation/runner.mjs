import { globSync } from 'node:fs';
import { join } from 'node:path';

import { jestExpect } from '@jest/expect';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

import { group } from './groups.mjs';
import { Modules } from './modules.mjs';

/** A test takes less, even on a busy machine; a mutant that hangs does not. Tests that need more are left out. */
const longestTestMs = 15_000;

/** Of a large group, a sample: each third mutant, for example. Stryker counts the others as errors. */
const every = Number(process.env.EVERY ?? 1);

const mocker = new ModuleMocker(globalThis);
const jest = {
	fn: mocker.fn.bind(mocker),
	spyOn: mocker.spyOn.bind(mocker),
	restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
	setTimeout: () => undefined,
};
const { describe, test, it, beforeAll, beforeEach, afterAll, afterEach } = circus;
const globals = {
	expect: jestExpect,
	describe,
	test,
	it,
	beforeAll,
	beforeEach,
	afterAll,
	afterEach,
};

function blocksOf(block) {
	const inner = block.children.filter(({ type }) => type === 'describeBlock').flatMap(blocksOf);
	return [block, ...inner];
}

function nameOf({ name, parent }) {
	return parent?.parent ? `${nameOf(parent)} ${name}` : name;
}

const describeError = (error) => String(error?.message ?? error?.[0]?.message ?? error);

/** What Stryker's code in the sources reads and writes. */
const instruments = (globalThis.__stryker__ ??= {});

/**
 * Runs the tests with jest's own `describe`, `test` and `expect`, but outside jest, which would load n8n again for each
 * file of tests and mutant, and go on after the first failure.
 */
class TestRunner {
	#files = group.tests.flatMap((path) => globSync(join('test', `${path}.ts`)).sort());

	capabilities() {
		return { reloadEnvironment: true };
	}

	async init() {
		Object.assign(globalThis, globals);
		circus.addEventHandler(({ name, test }) => {
			if (name === 'test_started') instruments.currentTestId = this.#idOf(test);
			if (name === 'test_done') instruments.currentTestId = undefined;
			if (name === 'test_done') this.#failed ||= test.errors.length > 0;
			if (name === 'test_start' && this.#failed && this.#stopsAtFailure) test.mode = 'skip';
		});
		process.on('uncaughtException', (error) => this.#noteUnhandled(error));
		process.on('unhandledRejection', (error) => this.#noteUnhandled(error));
	}

	async dryRun() {
		this.#stopsAtFailure = false;
		const tests = (await this.#run(this.#files, () => true)).flatMap(({ tests }) => tests);
		this.#stopsAtFailure = true;
		return { status: 'complete', tests, mutantCoverage: this.#attribute(tests) };
	}

	/** What runs while a file is loaded belongs to all of its tests, if it runs in any test: else Stryker leaves it out. */
	#attribute(tests) {
		const { perTest, static: atLoad } = instruments.mutantCoverage;
		const loaded = this.#files.map((file) => [file, Object.keys(perTest[file] ?? {})]);
		for (const file of this.#files) delete perTest[file];
		const inTests = new Set(Object.values(perTest).flatMap((hits) => Object.keys(hits)));
		for (const [file, mutants] of loaded) {
			for (const mutant of mutants.filter((one) => !inTests.has(one))) atLoad[mutant] = 1;
			const shared = mutants.filter((one) => inTests.has(one)).map((one) => [one, 1]);
			for (const { id } of tests.filter(({ fileName }) => fileName === file))
				perTest[id] = { ...Object.fromEntries(shared), ...perTest[id] };
		}
		return instruments.mutantCoverage;
	}

	async mutantRun({ activeMutant, testFilter, hitLimit }) {
		if (Number(activeMutant.id) % every > 0) return { status: 'error', errorMessage: 'not tried' };
		const isChosen = (id) => !testFilter || testFilter.includes(id);
		const files = this.#files.filter(
			(file) => !testFilter || testFilter.some((id) => id.startsWith(file)),
		);
		Object.assign(instruments, { hitCount: 0, hitLimit, activeMutant: activeMutant.id });
		const runs = await this.#run(files, isChosen);
		instruments.activeMutant = undefined;
		const ran = runs.flatMap(({ tests }) => tests);
		if (instruments.hitCount > hitLimit) return { status: 'timeout', reason: 'an endless loop' };
		const failed = ran.find(({ status }) => status === failure);
		if (!failed) return { status: 'survived', nrOfTests: ran.length };
		// What an earlier mutant left behind must not speak against this one.
		const again = await this.#run([failed.fileName], (id) => id === failed.id);
		if (again.some(({ tests }) => tests.some(({ status }) => status === failure)))
			throw new Error(`${failed.id} fails without a mutant, too: ${failed.failureMessage}`);
		const { id, failureMessage } = failed;
		return { status: 'killed', killedBy: [id], failureMessage, nrOfTests: ran.length };
	}

	#file = '';
	#failed = false;
	#stopsAtFailure = true;
	#unhandled;
	#idOf = (test) => `${this.#file} > ${nameOf(test)}`;

	#noteUnhandled(error) {
		this.#unhandled ??= error;
		this.#failed = true;
	}

	async #run(files, isChosen) {
		const runs = [];
		this.#failed = false;
		for (const file of files) {
			runs.push({ tests: await this.#runFile(file, isChosen) });
			if (this.#failed && this.#stopsAtFailure) break;
		}
		return runs;
	}

	async #runFile(file, isChosen) {
		circus.resetState();
		this.#file = file;
		this.#unhandled = undefined;
		const modules = new Modules(jest);
		instruments.currentTestId = file;
		for (const path of ['test/mutation/setup.ts', file]) modules.load(join(process.cwd(), path));
		instruments.currentTestId = undefined;
		const state = circus.getState();
		state.testTimeout = longestTestMs;
		const blocks = blocksOf(state.rootDescribeBlock);
		const all = blocks.flatMap(({ tests }) => tests);
		for (const one of all) {
			const isLong = one.timeout > 2 * longestTestMs;
			if (isLong || !isChosen(this.#idOf(one))) one.mode = 'skip';
			one.timeout = longestTestMs;
		}
		for (const block of blocks) {
			const inner = blocksOf(block).flatMap(({ tests }) => tests);
			if (inner.every(({ mode }) => mode === 'skip')) block.mode = 'skip';
		}
		await circus.run();
		jest.restoreAllMocks();
		return all.filter(({ status }) => status === 'done').map((one) => this.#resultOf(one));
	}

	#resultOf(one) {
		const id = this.#idOf(one);
		const errors = [...one.errors, ...(this.#unhandled ? [this.#unhandled] : [])];
		const base = { id, name: id, fileName: this.#file, timeSpentMs: one.duration ?? 0 };
		if (errors.length === 0) return { ...base, status: success };
		return { ...base, status: failure, failureMessage: errors.map(describeError).join('\n') };
	}
}

/** TestStatus of Stryker. */
const success = 0;
const failure = 1;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'circus', injectableClass: TestRunner }];
