import type { IDataObject } from 'n8n-workflow';

import { runWorkflow, type NodeUnderTest, type WorkflowRun } from '../../../tools/harness';
import type { Credentials, ServiceInN8n } from './useService';

/**
 * Calls a path of the service with n8n's own HTTP Request node and our credential.
 * @param before nodes that get the items first
 */
export async function callService(
	{ api, sandbox }: ServiceInN8n,
	path: string,
	parameters: IDataObject,
	{
		credentials,
		before = [],
		items = [{}],
	}: { credentials: Credentials; before?: NodeUnderTest[]; items?: IDataObject[] },
): Promise<WorkflowRun> {
	const request = {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${sandbox.baseUrl}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			options: {},
			...parameters,
		} as NodeUnderTest['parameters'],
		credentials: { ...credentials },
	};
	return await runWorkflow(api, [...before, request], items, { mode: 'manual' });
}
