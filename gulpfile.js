const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

/** Resolves when the TypeScript compiler ended well, so that no task sees half of the code. */
function compile() {
	return new Promise((resolve, reject) => {
		const compiler = spawn(process.execPath, [require.resolve('typescript/bin/tsc')], {
			cwd: __dirname,
			stdio: 'inherit',
		});
		compiler.once('error', reject);
		compiler.once('exit', (code) =>
			code === 0 ? resolve() : reject(new Error(`The TypeScript compiler ended with ${code}`)),
		);
	});
}

const clean = () => rm('dist', { recursive: true, force: true });
const copyIcons = () => src('icons/*.svg').pipe(dest('dist/icons'));
const copyCodex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
const copySchemas = () => src('nodes/*/__schema__/**/*.json').pipe(dest('dist/nodes'));

exports.clean = clean;
exports.build = series(clean, parallel(compile, copyIcons, copyCodex, copySchemas));
exports.default = exports.build;
