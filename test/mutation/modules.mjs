import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';

import esbuild from 'esbuild';

const endings = ['', '.ts', '/index.ts'];
const isFile = (path) => existsSync(path) && statSync(path).isFile();

/** Of the compiler, once for each file and for each bundle of the simulator. */
const kept = new Map();
function once(key, make) {
	if (!kept.has(key)) kept.set(key, make());
	return kept.get(key);
}
const buildSync = (options) => once(JSON.stringify(options), () => esbuild.buildSync(options));

function compile(path) {
	const { code } = esbuild.transformSync(readFileSync(path, 'utf8'), {
		loader: 'ts',
		format: 'cjs',
		target: 'node22',
		sourcefile: path,
		sourcemap: 'inline',
	});
	const names = ['require', 'module', 'exports', '__dirname', '__filename', 'jest'];
	return compileFunction(code, names, { filename: path });
}

/**
 * Our sources and tests, evaluated again for each instance, as in jest for each file; packages are loaded once for
 * all. That is what makes a mutant cost milliseconds.
 */
export class Modules {
	#evaluated = new Map();
	#jest;

	/** @param jest what the tests of this project use of jest */
	constructor(jest) {
		this.#jest = jest;
	}

	load(path) {
		const known = this.#evaluated.get(path);
		if (known) return known.exports;
		const module = { exports: {} };
		this.#evaluated.set(path, module);
		const require = this.#requireFor(path);
		const jest = { ...this.#jest, ...this.#isolation(path) };
		const run = once(path, () => compile(path));
		run(require, module, module.exports, dirname(path), path, jest);
		return module.exports;
	}

	#resolve(from, name) {
		if (!name.startsWith('.')) return undefined;
		const base = join(dirname(from), name);
		const found = endings.map((ending) => base + ending).find(isFile);
		return found?.endsWith('.ts') ? found : undefined;
	}

	#requireFor(from) {
		const native = createRequire(from);
		const require = (name) => {
			if (name === 'esbuild') return { ...esbuild, buildSync };
			const path = this.#resolve(from, name);
			return path ? this.load(path) : native(name);
		};
		return Object.assign(require, { resolve: native.resolve });
	}

	/** `jest.requireActual` within `jest.isolateModulesAsync` loads into modules of its own. */
	#isolation(from) {
		let current = this;
		return {
			requireActual: (name) => current.#requireFor(from)(name),
			isolateModulesAsync: async (work) => {
				const before = current;
				current = new Modules(this.#jest);
				await work().finally(() => (current = before));
			},
		};
	}
}
