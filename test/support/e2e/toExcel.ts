import { createRequire } from 'node:module';
import { join } from 'node:path';

import { hostFolder } from '../../../scripts/n8n/paths';

export type Cell = string | number;

interface Sheets {
	utils: {
		aoa_to_sheet(rows: Cell[][]): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object, name: string): void;
	};
	write(book: object, options: object): Uint8Array<ArrayBuffer>;
}

/** As Excel writes it, by the library that n8n reads it with. @param sheets by name, the first one first */
export function toWorkbook(sheets: Record<string, Cell[][]>, name = 'list.xlsx'): File {
	const xlsx = createRequire(join(hostFolder, 'package.json'))('@e965/xlsx') as Sheets;
	const book = xlsx.utils.book_new();
	for (const [sheet, rows] of Object.entries(sheets))
		xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), sheet);
	return new File([xlsx.write(book, { type: 'buffer', bookType: 'xlsx' })], name, {
		type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	});
}

/** A workbook with one sheet. */
export function toExcel(rows: Cell[][], name?: string): File {
	return toWorkbook({ Sheet1: rows }, name);
}
