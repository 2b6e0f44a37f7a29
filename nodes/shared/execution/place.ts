import type { IExecuteFunctions } from 'n8n-workflow';

/** Which item an error is about, as people count them. */
export interface Place {
	itemIndex: number;
	/** How many items the node has. */
	items: number;
	/** Row of the spreadsheet, where n8n says so. */
	row?: number;
}

export function placeOf(
	context: Pick<IExecuteFunctions, 'getInputData'>,
	itemIndex: number,
): Place {
	const input = context.getInputData();
	const { row_number: row } = input[itemIndex]?.json ?? {};
	return {
		itemIndex,
		items: input.length,
		...(Number.isSafeInteger(row) && { row: row as number }),
	};
}

/** Empty for a single item. */
export function describePlace({ itemIndex, items, row }: Place): string {
	const item = items > 1 ? `item ${itemIndex + 1} of ${items}` : '';
	return [item, row === undefined ? '' : `row ${row}`].filter(Boolean).join(', ');
}

/** A sentence that ends with the place in parentheses. */
export function withPlace(sentence: string, place: Place): string {
	const text = describePlace(place);
	return text === '' ? sentence : `${sentence} (${text})`;
}
