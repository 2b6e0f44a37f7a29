import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { parse } from 'yaml';
import { projectFolder } from '../../scripts/n8n/paths';
import { type DescribedService, renderSupported } from './renderSupported';

async function main(): Promise<void> {
	const text = readFileSync(join(projectFolder, 'docs/openapi.yaml'), 'utf8');
	const supported = renderSupported(parse(text) as DescribedService);
	const formatted = await format(supported, { parser: 'markdown' });
	writeFileSync(join(projectFolder, 'sandbox/SUPPORTED.md'), formatted);
}

void main();
