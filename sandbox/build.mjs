/*
 * Builds the sandbox. `node build.mjs [FOLDER]` writes the program and the module for tests (each one file
 * without dependencies), the types, and the JSON schema of seed files. `--program` writes the program only.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const options = { program: { type: 'boolean', default: false } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const target = resolve(positionals[0] ?? join(folder, 'dist'));

const readAsset = (name) => readFileSync(join(folder, 'ui', name), 'utf8');
const assets = { style: readAsset('inbox.css'), script: readAsset('inbox.js') };

function bundle(source, file, banner) {
	return build({
		entryPoints: [join(folder, source)],
		outfile: join(target, file),
		bundle: true,
		platform: 'node',
		target: 'node22',
		format: 'cjs',
		banner: { js: banner },
		define: { builtAssets: JSON.stringify(assets) },
		minify: true,
		keepNames: true,
		legalComments: 'inline',
		logLevel: 'error',
	});
}

/** For editors; generated from the schema that validates seed files. */
async function writeSeedSchema() {
	const contents = `import { toJSONSchema } from 'zod/v4';
		import { seed } from './inputSchemas';
		export default toJSONSchema(seed, { io: 'input', unrepresentable: 'any' });`;
	const stdin = { contents, resolveDir: folder };
	const made = await build({ stdin, bundle: true, platform: 'node', format: 'esm', write: false });
	const code = Buffer.from(made.outputFiles[0].contents).toString('base64');
	const { default: schema } = await import(`data:text/javascript;base64,${code}`);
	writeFileSync(join(target, 'seed.schema.json'), JSON.stringify(schema, null, '\t'));
}

await bundle('main.ts', 'sandbox.js', '#!/usr/bin/env node');
if (!values.program) {
	await bundle('index.ts', 'index.js', '');
	await writeSeedSchema();
	const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
	const args = [
		compiler,
		'--project',
		join(folder, 'tsconfig.json'),
		'--outDir',
		join(target, 'types'),
	];
	process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}
