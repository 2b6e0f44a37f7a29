import { createRequire } from 'node:module';
import { join } from 'node:path';

import { hostFolder } from '../../../scripts/n8n/paths';

export type Cell = string | number;

interface Sheets {
	utils: {
		aoa_to_sheet(rows: Cell[][]): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object): void;
	};
	write(book: object, options: object): Uint8Array<ArrayBuffer>;
}

/** As Excel writes it, by the library that n8n reads it with. */
export function toExcel(rows: Cell[][], name = 'list.xlsx'): File {
	const xlsx = createRequire(join(hostFolder, 'package.json'))('@e965/xlsx') as Sheets;
	const book = xlsx.utils.book_new();
	xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows));
	return new File([xlsx.write(book, { type: 'buffer', bookType: 'xlsx' })], name, {
		type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	});
}
