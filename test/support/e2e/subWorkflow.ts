import {
	completeNode,
	connectInLine,
	type N8nApi,
	type NodeUnderTest,
} from '../../../tools/harness';

/** Publishes a workflow that others call, with this node. @returns a node that calls it, too */
export async function publishCalled(
	api: N8nApi,
	node: NodeUnderTest,
	waitForSubWorkflow = true,
): Promise<{ workflowId: string; call: NodeUnderTest }> {
	const called = {
		...{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	};
	const { id } = await api.createWorkflow({
		name: 'called',
		nodes: [called, node].map(completeNode),
		connections: connectInLine(['Called', node.name]),
	});
	await api.activate(id);
	const call = {
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: id },
			mode: 'once',
			options: { waitForSubWorkflow },
		},
	};
	return { workflowId: id, call };
}
