import type { IDataObject } from 'n8n-workflow';
import type { CredentialReference } from '../../scripts/n8n/n8nClient';
import type { NodeUnderTest } from '../harness';

/** The three fields of a message, as parameters or assignments. */
export interface Fields extends IDataObject {
	to: string;
	message: string;
	from: string;
}

/** Each only names a field of the item. */
export const mappedFields: Fields = {
	to: '={{ $json.to }}',
	message: '={{ $json.message }}',
	from: '={{ $json.from }}',
};

/** Each has something to compute. */
export const computedFields: Fields = {
	to: '={{ $json.to.trim() }}',
	message: '={{ "Hello " + $json.name + ", your order " + $json.order + " is ready." }}',
	from: '={{ $json.from || "Shop" }}',
};

export function createItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: `0977${String(1_000_000 + index)}`,
		message: `Hello, your order ${index} is ready. Please collect it before Friday.`,
		from: 'Shop',
		name: `Customer ${index}`,
		order: index,
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
export function editFields(fields: Fields): NodeUnderTest {
	const assignments = Object.entries(fields).map(([name, value]) => ({
		id: name,
		name,
		value: String(value),
		type: 'string',
	}));
	return {
		name: 'Edit Fields',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** Gives the items on as they are: what it takes is n8n's own part of every node. */
export const noOperation: NodeUnderTest = {
	name: 'No Operation',
	type: 'n8n-nodes-base.noOp',
	parameters: {},
};

interface Batching {
	batchSize: number;
	/** Milliseconds. */
	batchInterval: number;
}

/** A single send for each item, as a user without this package does it. */
export function httpSend(
	credential: CredentialReference,
	url: string,
	batch?: Batching,
): NodeUnderTest {
	const parameters = Object.entries(mappedFields).map(([name, value]) => ({
		name,
		value: String(value),
	}));
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
			options: batch ? { batching: { batch: { ...batch } } } : {},
		},
	};
}

/** The least that a node of n8n needs to send the items (extension/HttpHelper.node.js). */
export function httpHelper(
	credential: CredentialReference,
	parallelRequests: number,
): NodeUnderTest {
	return {
		...ourNode('httpHelper', credential, { parallelRequests }),
		type: 'CUSTOM.httpHelper',
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

/** n8n's loop: one item in each pass. */
export const loopOverItems: NodeUnderTest = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { options: {} },
};
