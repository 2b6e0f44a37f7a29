import type { INodeParameters } from 'n8n-workflow';

import type { NodeUnderTest } from '../../../tools/harness';

/** What a Set node is to set. */
export const assign = (values: Record<string, unknown>): INodeParameters => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => ({
			...{ id: name, name, type: Array.isArray(value) ? 'array' : typeof value },
			value: (Array.isArray(value) ? JSON.stringify(value) : value) as string,
		})),
	},
});

/** A node whose output has these fields only. */
export const setNode = (name: string, values: Record<string, unknown>): NodeUnderTest => ({
	...{ name, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
	parameters: { ...assign(values), options: {} },
});
