import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Inlined by the build, so that the program is one file. */
declare const builtAssets: { style: string; script: string } | undefined;

function read(name: string): string {
	return readFileSync(join(__dirname, name), 'utf8');
}

/** Inlined into the page, which loads no other style or script. */
export const { style, script } =
	typeof builtAssets === 'undefined'
		? { style: read('inbox.css'), script: read('inbox.js') }
		: builtAssets;
