import { ensureInstalled } from './install.mjs';
import { runProgram } from './steps.mjs';

/* Runs one of the project's programs that need n8n: `node scripts/run.mjs tools/bench/main.ts --items 200`. */
const [program, ...options] = process.argv.slice(2);
await ensureInstalled({ withN8n: true });
process.exitCode = await runProgram(program, options);
