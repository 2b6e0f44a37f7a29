import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';

/** The credential of the package for a sandbox. */
export function credentialsOf(sandbox: Sandbox, changes: IDataObject = {}): IDataObject {
	const { baseUrl, apiKey, apiSecret } = sandbox;
	return { baseUrl, apiKey, apiSecret, authorizationScheme: 'Bearer', ...changes };
}
