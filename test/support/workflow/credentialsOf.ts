import type { IDataObject } from 'n8n-workflow';

export interface Service {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
}

/** The credential of the package for a sandbox, or for a server that stands in for the service. */
export function credentialsOf(service: Service, changes: IDataObject = {}): IDataObject {
	const { baseUrl, apiKey, apiSecret } = service;
	return { baseUrl, apiKey, apiSecret, authorizationScheme: 'Bearer', ...changes };
}
