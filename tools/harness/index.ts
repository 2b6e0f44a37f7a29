export type { CredentialReference, Execution, Workflow } from '../../scripts/n8n/n8nApi';
export { N8nApi } from '../../scripts/n8n/n8nApi';
export { inCollections } from './inCollections';
export { connectToSharedN8n, owner, startN8n, type N8n, type OwnN8n } from './n8n';
export {
	callWebhook,
	completeNode,
	connectInLine,
	createWorkflow,
	describeRun,
	runWorkflow,
	startWorkflow,
	type NodeUnderTest,
	type RunOptions,
	type WorkflowRun,
} from './runWorkflow';
