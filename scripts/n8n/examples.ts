import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowDefinition } from './n8nClient';
import { projectFolder } from './paths';

const folder = join(projectFolder, 'examples');

/** By its name, which stays when the number in front of it changes. In the order in which to try them. */
const files = new Map(
	readdirSync(folder)
		.sort()
		.flatMap((file) => {
			const [, name] = /^\d\d-(.+)\.json$/.exec(file) ?? [];
			return name === undefined ? [] : [[name, file] as const];
		}),
);

export const exampleNames = [...files.keys()];

/** @param name without its number: `send-one-sms` */
export function exampleFile(name: string): string {
	const file = files.get(name);
	if (file === undefined) throw new Error(`There is no example ${name}.`);
	return file;
}

/** @param name without its number: `send-one-sms` */
export function readExample(name: string): WorkflowDefinition {
	return JSON.parse(readFileSync(join(folder, exampleFile(name)), 'utf8')) as WorkflowDefinition;
}
