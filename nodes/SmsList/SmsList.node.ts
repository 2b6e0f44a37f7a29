import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { execute, properties } from './list.operation';

export class SmsList implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS List',
		name: 'smsList',
		icon: { light: 'file:../../icons/smsList.svg', dark: 'file:../../icons/smsList.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: 'find numbers and names',
		description: 'Find the phone numbers and names in the rows of a spreadsheet',
		builderHint: {
			searchHint:
				'Put it between Extract from File (option Header Row off) and SMS Bulk Send. Rows of Google Sheets or a database do not need it. Sends nothing. Numbers stay as they are: the nodes that send read those that lost their first 0. Finds the line of column names in the first ten rows. Output, an item per person: row, phone, name, and each column by its own header.',
		},
		defaults: { name: 'SMS List' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [...properties],
	};

	execute = execute;
}
