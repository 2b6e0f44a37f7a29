export type { CredentialReference, Workflow } from '../../scripts/n8n/n8nClient';
export { N8nApi, type Execution } from './N8nApi';
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
