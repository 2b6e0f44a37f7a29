import type { INodeProperties, INodeType } from 'n8n-workflow';

import manifest from '../../package.json';
import { completeNode, runWorkflow } from '../../tools/harness';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useService } from '../support/e2e/useService';
import { useStage } from '../support/e2e/useStage';

const later = '2031-03-01T09:00:00Z';

/** What AI builders wrote: n8n drops what a node does not declare before the node runs. More in process. */
const rows: Array<[type: string, parameters: object, right: string]> = [
	['smsSend', { options: { dryRun: true } }, 'Set dryRun instead'],
	['smsBulkSend', { options: { dryRun: true } }, 'Set dryRun instead'],
	['smsBulkSend', { options: { scheduledAt: later } }, 'options.scheduledAt'],
	['smsSendAndWait', { dryRun: true }, 'SMS Send, which has dryRun'],
	['smsSendAndWaitForResponse', { options: { scheduledAt: later } }, 'options.scheduledAt'],
];

describe('a workflow with an option at a path where it has no effect', () => {
	const service = useService();

	test.each(rows)('sends nothing: %s with %j names %s', async (type, more, right) => {
		const parameters = { to: '09791234567', from: 'Shop', message: 'Hello', ...more } as never;
		const node = { name: 'Node', type, parameters, credentials: { ...service.credentials } };
		const { error } = await runWorkflow(service.api, [node], [{}]);
		expect(error?.message).toMatch(/where it has no effect|not an option of this node/);
		expect(error?.description).toContain(right);
		expect(service.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});

const nodes = manifest.n8n.nodes.map((path) => {
	const module = jest.requireActual<Record<string, new () => INodeType>>(`../../${path}`);
	const { name, version, properties } = new (Object.values(module)[0])().description;
	return { name, version: Number(version), properties };
});
const isHidden = ({ type }: INodeProperties) => type === 'hidden';
const toLabel = ({ displayName }: INodeProperties) => displayName;

/** People are to notice nothing of the paths that only AI builders write. */
sinceN8n2('the editor of n8n 2').describe('the editor', () => {
	const editorOfN8n = useStage({ pictureFolder: process.env.PICTURE_FOLDER, isShared: true });

	test.each(nodes)('offers each option of $name where it belongs', async (node) => {
		const { page, editor, api, picture } = editorOfN8n.stage;
		const one = completeNode({ name: 'Node', type: node.name, typeVersion: node.version }, 0);
		const workflow = { name: node.name, nodes: [one], connections: {} };
		const { id } = await api.createWorkflow(workflow);
		await page.goto(`/workflow/${id}`);
		await page.getByTestId('canvas-node').filter({ hasText: 'Node' }).dblclick();
		await editor.parameters.waitFor();
		const lines = (await editor.parameters.innerText()).split('\n').map((line) => line.trim());
		const hidden = node.properties.filter(isHidden).map(toLabel);
		expect(hidden.filter((label) => lines.includes(label))).toEqual([]);

		const collections = node.properties.filter(({ type }) => type === 'collection');
		for (const [n, { name, options = [] }] of collections.entries()) {
			const own = (options as INodeProperties[]).filter((one) => !isHidden(one));
			await editor.panel.getByTestId('collection-parameter-add').nth(n).click();
			if (own.length === 1) {
				await editor.parameters.getByTestId(`parameter-input-${own[0].name}`).waitFor();
				continue;
			}
			const listed = page.getByTestId('collection-parameter-option').filter({ visible: true });
			await listed.first().waitFor();
			await picture(`${node.name}-${name}`, editor.parameters);
			const labels = (await listed.allInnerTexts()).map((label) => label.trim());
			await listed.last().click();
			await listed.first().waitFor({ state: 'hidden' });
			const always = own.filter(({ displayOptions }) => !displayOptions);
			expect(own.map(toLabel)).toEqual(expect.arrayContaining(labels));
			expect(labels).toEqual(expect.arrayContaining(always.map(toLabel)));
		}
	});
});
