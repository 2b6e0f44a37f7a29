import type { IDataObject } from 'n8n-workflow';
import type { CredentialReference } from '../../scripts/n8n/n8nClient';
import type { NodeUnderTest } from '../harness';

/** Each only names a field of the item. */
export const mappedFields = {
	to: '={{ $json.to }}',
	message: '={{ $json.message }}',
	from: '={{ $json.from }}',
};

export function createItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: `0977${String(1_000_000 + index)}`,
		message: `Hello, your order ${index} is ready. Please collect it before Friday.`,
		from: 'Shop',
	}));
}

const credentialType = 'messagingServiceApi';

export function ourNode(
	type: string,
	credential: CredentialReference,
	parameters: IDataObject,
): NodeUnderTest {
	return {
		name: type,
		type,
		parameters: parameters as NodeUnderTest['parameters'],
		credentials: { [credentialType]: credential },
	};
}

/** n8n's cheapest way to do something for each item: it evaluates the three expressions, and no more. */
export function editFields(): NodeUnderTest {
	const fields = Object.entries(mappedFields);
	const assignments = fields.map(([name, value]) => ({ id: name, name, value, type: 'string' }));
	return {
		name: 'Edit Fields',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** A single send for each item, as a user without this package does it. */
export function httpSend(
	credential: CredentialReference,
	url: string,
	batchSize: number,
): NodeUnderTest {
	const parameters = Object.entries(mappedFields).map(([name, value]) => ({ name, value }));
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: { [credentialType]: credential },
		parameters: {
			method: 'POST',
			url: `${url}/rest/send`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			sendBody: true,
			bodyParameters: { parameters },
			options: { batching: { batch: { batchSize, batchInterval: 0 } } },
		},
	};
}

/** Pages of 100, one after the other, with the pagination of the HTTP Request node. */
export function httpPages(
	credential: CredentialReference,
	url: string,
	maxRequests: number,
): NodeUnderTest {
	const page = { type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' };
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: { [credentialType]: credential },
		parameters: {
			url: `${url}/rest/messages`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
			options: {
				pagination: {
					pagination: {
						parameters: { parameters: [page] },
						limitPagesFetched: true,
						maxRequests,
					},
				},
			},
		},
	};
}
