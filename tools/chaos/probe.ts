import { startN8n } from '../../test/e2e/harness/n8n';
import { runWorkflow } from '../../test/e2e/harness';
import { startChaosSandbox } from './chaosSandbox';
import { createContenders } from './contenders';
import type { FaultRule } from '../../sandbox';
async function main() {
	const sandbox = await startChaosSandbox();
	const n8n = await startN8n({ tarball: process.argv[2] });
	const type = 'messagingServiceApi';
	const credential = await n8n.api.createCredential({ name: 'Chaos', type, data: sandbox.credential });
	const node = { ...createContenders(sandbox.credential.baseUrl)[2].node, credentials: { [type]: credential }, retryOnFail: false };
	const items = Array.from({ length: 40 }, (_, i) => ({ to: `95977${1000000 + i}`, message: 'x' }));
	const rules: Array<[string, FaultRule]> = [
		['none', { effect: { status: 500 }, count: 0 }],
		['500', { effect: { status: 500 }, count: 1 }],
		['hang', { effect: 'hang', count: 1 }],
		['cut', { effect: 'cut', count: 1 }],
		['cutBody', { effect: 'cutBody', count: 1 }],
		['redirect', { effect: { redirect: { location: 'http://127.0.0.1:9/' } }, count: 1 }],
		['429', { effect: { status: 429, headers: { 'Retry-After': '1' } }, count: 1 }],
	];
	for (const [name, rule] of rules) {
		await sandbox.prepare([rule], {});
		const t = Date.now();
		const run = await runWorkflow(n8n.api, [node], items, { keep: true });
		console.log(name, run.status, Date.now() - t, run.error?.message, (await sandbox.stats()).requests);
	}
	await n8n.close();
	await sandbox.close();
}
void main();
