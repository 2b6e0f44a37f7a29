import type { Sandbox } from '../../sandbox';
import {
	ensureCredentials,
	importExamples,
	serviceCredential,
	type DemoState,
} from '../../scripts/demo/demoContent';
import { demoKey } from '../../scripts/demo/sandboxProcess';
import { until } from '../../scripts/n8n/until';
import type { OpenStage } from '../../tools/docsImages/openStage';
import { runWorkflow, type N8n } from '../../tools/harness';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useStage } from '../support/e2e/useStage';

sinceN8n2('part in the demo').describe('a person in the demo', () => {
	const state: DemoState = { password: 'not used', credentials: {}, examples: {} };
	const editorOfN8n = useStage(demoKey);
	let n8n: N8n;
	let sandbox: Sandbox;
	let stage: OpenStage;
	beforeAll(async () => {
		({ n8n, sandbox, stage } = editorOfN8n);
		const ready = await ensureCredentials(n8n.api, state, [serviceCredential(sandbox.baseUrl)]);
		const urls = { n8n: n8n.url, inbox: sandbox.url };
		await importExamples(n8n.api, state, ready, { ...urls, pricePerPart: 20 });
	});

	const open = async (file: string, node: string) => {
		const { page, editor } = stage;
		await page.goto(`/workflow/${state.examples[file]}`);
		const onCanvas = page.locator(`[data-test-id="canvas-node"][data-node-name="${node}"]`);
		await onCanvas.first().dblclick();
		await editor.panel.waitFor();
	};

	const readLog = async () => {
		const parameters = {
			...{ resource: 'row', operation: 'get', returnAll: true, filters: {} },
			dataTableId: { __rl: true, mode: 'name', value: 'Delivery log (example 07)' },
		};
		const node = { name: 'Rows', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters };
		return (await runWorkflow(n8n.api, [node as never])).json.Rows[0] ?? [];
	};

	test('gets from the note of the delivery log to a row in it', async () => {
		const { page, editor } = stage;
		const log = state.examples['delivery-log.json'];
		await n8n.api.finishedExecution(await n8n.api.runManually(log, 'Start once'));

		await open('delivery-log.json', 'Delivery receipt');
		await editor.openWebhookUrls();
		const url = (await editor.parameters.locator('.webhook-url').first().innerText()).trim();
		await editor.leaveNode();
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();

		await open('send-one-sms.json', 'Send SMS');
		await editor.addOption('Delivery Receipt URL');
		await editor.fill({ deliveryReceiptUrl: url });
		await editor.execute();
		const answers = async () => {
			const receipts = sandbox.receipts().map(({ answered }) => answered);
			return receipts.length >= 2 ? receipts : undefined;
		};
		expect(await until(answers, { what: 'two receipts' })).toEqual([200, 200]);
		const delivered = async () => {
			const rows = await readLog();
			return rows.some(({ outcome }) => outcome === 'delivered') ? rows : undefined;
		};
		expect(await until(delivered, { what: 'a row' })).toHaveLength(1);
	});
});
