import { ensureInstalled } from './install.mjs';
import { runProgram } from './steps.mjs';

/* Runs one of the project's programs: `node scripts/run.mjs tools/bench/main.ts --items 200`. */
const [program, ...options] = process.argv.slice(2);
// Tools run a real n8n; the simulator is told what n8n would do.
await ensureInstalled({ withN8n: program.startsWith('tools/') });
process.exitCode = await runProgram(program, options);
