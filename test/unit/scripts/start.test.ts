import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { listen } from '../../support/listen';

const script = join(__dirname, '../../../scripts/start.mjs');

async function runStart(...args: string[]) {
	const child = spawn(process.execPath, [script, ...args]);
	let output = '';
	child.stdout.on('data', (chunk) => (output += chunk));
	child.stderr.on('data', (chunk) => (output += chunk));
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, output };
}

describe('npm start', () => {
	let occupant: Awaited<ReturnType<typeof listen>>;
	let taken: number;

	beforeAll(async () => {
		occupant = await listen(createServer());
		taken = occupant.port;
	});
	afterAll(() => occupant.close());

	test.each([
		['n8n', '--n8n-port', '--sandbox-port'],
		['the sandbox', '--sandbox-port', '--n8n-port'],
	])('names the port in use for %s, and %s, and installs nothing', async (name, option, other) => {
		const args = [option, String(taken), other, String(await findFreePort())];
		const { code, output } = await runStart(...args);
		expect(code).toBe(1);
		const words = `Port ${taken} (for ${name}) is in use by another program. Choose another with ${option}.`;
		expect(output).toContain(words);
		expect(output).not.toContain('Installing');
	});

	test.each([
		[['--n8n-port', 'abc'], '--n8n-port must be a port from 1 to 65535, not "abc".'],
		[['--sandbox-port', '70000'], '--sandbox-port must be a port from 1 to 65535, not "70000".'],
		[['--n8n-port', '6000', '--sandbox-port', '6000'], 'must be different ports'],
		[['--sandbox-port', '0'], '--sandbox-port must be a port from 1 to 65535, not "0".'],
		[['--port', '6000'], "Unknown option '--port'"],
	])('rejects %j with a sentence and its help', async (args, sentence) => {
		const { code, output } = await runStart(...args);
		expect(code).toBe(1);
		expect(output).toContain(sentence);
		expect(output).toContain('--sandbox-port  port of the sandbox');
	});

	test('shows its options', async () => {
		const { code, output } = await runStart('--help');
		expect(code).toBe(0);
		expect(output).toContain('--n8n-port');
	});
});
