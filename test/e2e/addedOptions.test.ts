import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import { manualTrigger } from '../../tools/docsImages/Editor';
import type { OpenStage } from '../../tools/docsImages/openStage';
import { useStage } from '../support/e2e/useStage';

const send = {
	id: 'send',
	name: 'SMS Send',
	type: 'n8n-nodes-messaging-service.smsSend',
	typeVersion: 1,
	position: [240, 0] as [number, number],
	parameters: { to: '09791234567', message: 'Your order is on its way', from: 'MyShop' },
};
const connections = { Start: { main: [[{ node: 'SMS Send', type: 'main' as const, index: 0 }]] } };

/** In the editor of either line of n8n. */
describe('a limit that a person adds', () => {
	const editorOfN8n = useStage({ pictureFolder: process.env.PICTURE_FOLDER, isShared: true });
	let sandbox: Sandbox;
	let stage: OpenStage;
	let page: Page;
	beforeAll(() => {
		({ sandbox, stage } = editorOfN8n);
		({ page } = stage);
	});

	async function openNode(id: string): Promise<void> {
		await page.goto(`/workflow/${id}`);
		await page.getByTestId('canvas-node').filter({ hasText: 'SMS Send' }).dblclick();
		await stage.editor.panel.waitFor();
	}

	/** Adds an option to the collection with this placeholder. */
	async function add(placeholder: string, label: string): Promise<void> {
		const { panel } = stage.editor;
		await panel.getByText(placeholder).or(panel.getByPlaceholder(placeholder)).first().click();
		await page.getByText(label, { exact: true }).filter({ visible: true }).last().click();
	}

	const guardsOf = async (id: string) => {
		const { nodes } = await stage.api.getWorkflow(id);
		const { dryRun, options } = nodes.find(({ name }) => name === 'SMS Send')?.parameters ?? {};
		return { dryRun, ...(options as object) };
	};

	test('guards at once: added, saved, reopened, exported, and as an expression', async () => {
		const { editor, api } = stage;
		const { baseUrl, apiKey, apiSecret } = sandbox;
		const credential = await api.createCredential({
			name: 'Sandbox',
			type: 'messagingServiceApi',
			data: { baseUrl, apiKey, apiSecret },
		});
		const credentials = { messagingServiceApi: credential };
		const nodes = [manualTrigger, { ...send, credentials }];
		const { id } = await api.createWorkflow({ name: 'Added', nodes, connections });

		await openNode(id);
		await editor.switchOn('dryRun');
		await add('Add option', 'Price per Part');
		await add('Add option', 'Max Messages');
		await stage.picture('added', editor.parameters);
		await page.keyboard.press('Control+s');
		// The editor may have saved the first of them by itself.
		const saved = await until(
			async () => {
				const guards = await guardsOf(id);
				return 'maxMessages' in guards ? guards : undefined;
			},
			{ what: 'the saved workflow' },
		);
		const added = { dryRun: true, pricePerPart: 0, maxMessages: 100 };
		expect(saved).toEqual(added);

		await openNode(id);
		expect(await editor.executeUntil('wouldSend')).toContain('wouldSend');
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		expect(await guardsOf(id)).toEqual(added);

		const exported = await api.getWorkflow(id);
		const copy = await api.createWorkflow({
			...{ name: 'Imported', connections: exported.connections },
			nodes: exported.nodes.map((node) =>
				node.name === 'SMS Send'
					? { ...node, parameters: { ...node.parameters, dryRun: '={{ true }}' } }
					: node,
			),
		});
		await openNode(copy.id);
		expect(await editor.executeUntil('wouldSend')).toContain('wouldSend');
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});
