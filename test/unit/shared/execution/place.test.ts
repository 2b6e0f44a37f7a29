import { placeOf, withPlace } from '../../../../nodes/shared/execution/place';
import { openContext } from '../../../support/workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

describe('the place of an error', () => {
	const describePlace = (items: object[], item: number) =>
		withPlace('To is empty', placeOf(openContext(service, { items: items as never }), item));

	test('counts items from 1, as people do', () => {
		expect(describePlace(Array<object>(30).fill({}), 6)).toBe('To is empty (item 7 of 30)');
	});

	test('is left out for a single item', () => {
		expect(describePlace([{}], 0)).toBe('To is empty');
	});

	test('names the row of the spreadsheet where n8n says it', () => {
		const rows = [{ row_number: 2 }, { row_number: 8 }];
		expect(describePlace(rows, 1)).toBe('To is empty (item 2 of 2, row 8)');
		expect(describePlace([{ row_number: 8 }], 0)).toBe('To is empty (row 8)');
	});

	test.each([['8'], [-0.5], [null], [{}]])('ignores %j as a row', (row) => {
		expect(describePlace([{ row_number: row }], 0)).toBe('To is empty');
	});
});
