import { ensureInstalled } from './install.mjs';
import { runProgram } from './steps.mjs';

await ensureInstalled({ withN8n: false });
process.exitCode = await runProgram('sandbox/main.ts', process.argv.slice(2));
