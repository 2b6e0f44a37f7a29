import type { INode } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useStage } from '../support/e2e/useStage';

sinceN8n2('editor like the one that these tests operate').describe(
	'the URL of SMS Delivery Receipt Trigger in the editor',
	() => {
		const used = useStage();
		const idsOf = (nodes: INode[]) =>
			nodes.flatMap(({ type, webhookId }) =>
				type.endsWith('.smsReceiptTrigger') ? webhookId : [],
			);

		test('stays the same for a duplicated node, as docs/receipts.md says: only a new node has a new one', async () => {
			const { editor, page, api } = used.stage;
			const { id } = await editor.openNewWorkflow('Duplicate', true);
			await editor.addNode('SMS Delivery Receipt', 'On any status');
			await editor.leaveNode();
			await page.getByTestId('canvas-node').first().click();
			await page.keyboard.press('ControlOrMeta+d');
			await page.getByTestId('canvas-node').nth(1).waitFor();
			await page.keyboard.press('ControlOrMeta+s');
			const saved = async () => {
				const { nodes } = await api.getWorkflow(id);
				return idsOf(nodes).length === 2 ? idsOf(nodes) : undefined;
			};
			const ids = await until(saved, { what: 'two triggers' });
			expect(new Set(ids).size).toBe(1);
		});
	},
);
