import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { addHints, ItemResults } from '../shared/n8n/items';
import { readList } from './readList';

export const properties: INodeProperties[] = [
	{
		displayName:
			'Switch off the option Header Row in Extract from File. This node finds the column names, also below titles.',
		name: 'headerRow',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Phone Column',
		name: 'phoneColumn',
		type: 'string',
		default: '',
		placeholder: 'e.g. Mobile',
		description: 'Name of the only column to read phone numbers from. Leave empty to find it.',
	},
	{
		displayName: 'Name Column',
		name: 'nameColumn',
		type: 'string',
		default: '',
		placeholder: 'e.g. Student',
		description: 'Name of the column with the names. Leave empty to find it.',
	},
	{
		displayName: 'Date Columns',
		name: 'dateColumns',
		type: 'string',
		default: '',
		placeholder: 'e.g. Due Date, Birthday',
		description:
			'Columns with days that Excel stores as numbers, separated by commas. Leave empty to find them.',
	},
	{
		displayName: 'Date Format',
		name: 'dateFormat',
		type: 'string',
		default: 'd MMM yyyy',
		placeholder: 'e.g. d MMM yyyy',
		description:
			'How to write these days, such as d MMM yyyy or yyyy-MM-dd. Leave empty to keep the numbers.',
	},
];

/** Finds the people in the rows of a spreadsheet. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const results = new ItemResults(this);
	return await results.orFail(async () => {
		const text = (name: string) => String(this.getNodeParameter(name, 0, '') ?? '').trim();
		const { people, about } = readList(
			this.getInputData().map(({ json }) => json),
			{
				phoneColumn: text('phoneColumn'),
				nameColumn: text('nameColumn'),
				dateColumns: text('dateColumns'),
				dateFormat: text('dateFormat'),
			},
		);
		addHints(this, about);
		people[0].json.about = about;
		return [people.map(({ item, json }) => ({ json, pairedItem: { item } }))];
	});
}
