import { readHistory } from '../../../../nodes/shared/client/readHistory';
import type { MessageRecord } from '../../../../nodes/shared/client/types';

const pageSize = 1000;

describe('reading history while it changes', () => {
	test.each([1, 5])(
		'leaves out nothing that was there when a record is listed late, with %d pages at once',
		async (parallelRequests) => {
			const list = Array.from({ length: 3 * pageSize }, (_, n) => ({ messageId: `m${n}` }));
			const wanted = list.map(({ messageId }) => messageId);
			let reads = 0;
			const read = await readHistory({
				readPage: async (page) => {
					reads += 1;
					// Not in front, but where its time of creation puts it.
					if (reads === 2) list.splice(2500, 0, { messageId: 'late' });
					const messages = list.slice((page - 1) * pageSize, page * pageSize) as MessageRecord[];
					return { messages, limit: pageSize, records: list.length };
				},
				parallelRequests,
				wanted: Infinity,
				isWanted: () => true,
			});
			const shown = read.map(({ messageId }) => messageId);
			expect(new Set(shown).size).toBe(shown.length);
			expect(shown).toEqual(expect.arrayContaining(wanted));
		},
	);
});
