import fc from 'fast-check';

import { readHistory } from '../../../../nodes/shared/client/readHistory';
import type { HistoryPage, MessageRecord } from '../../../../nodes/shared/client/types';

const pageSize = 1000;

const listOf = (length: number): MessageRecord[] =>
	Array.from({ length }, (_, n) => ({ messageId: `m${n}` }));
const idsOf = (records: MessageRecord[]) => records.map(({ messageId }) => messageId);

/** Pages of a list; `change` comes before each page is cut from it, with the number of pages read so far. */
function pagesOf(list: MessageRecord[], change: (reads: number) => void = () => undefined) {
	const read: number[] = [];
	return {
		read,
		readPage: async (page: number) => {
			change(read.length);
			read.push(page);
			const messages = list.slice((page - 1) * pageSize, page * pageSize);
			return await Promise.resolve({ messages, limit: pageSize, records: list.length });
		},
	};
}

describe('reading history while it changes', () => {
	test.each([1, 5])(
		'leaves out nothing that was there when a record is listed late, with %d pages at once',
		async (pagesAtOnce) => {
			const list = listOf(3 * pageSize);
			const wanted = idsOf(list);
			// Not in front, but where its time of creation puts it.
			const { readPage } = pagesOf(list, (reads) => {
				if (reads === 1) list.splice(2500, 0, { messageId: 'late' });
			});
			const shown = idsOf(await readHistory({ readPage, pagesAtOnce }));
			const unique = new Set(shown);
			expect(unique.size).toBe(shown.length);
			expect(wanted.filter((id) => !unique.has(id))).toEqual([]);
		},
	);

	test('misses nothing where pages that are asked for at once are served in any order', async () => {
		const cases = fc.record({
			size: fc.integer({ min: 0, max: 8000 }),
			pagesAtOnce: fc.integer({ min: 1, max: 6 }),
			arrivals: fc.array(fc.nat(150), { minLength: 1, maxLength: 6 }),
			turns: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
		});
		await fc.assert(
			fc.asyncProperty(cases, async ({ size, pagesAtOnce, arrivals, turns }) => {
				const list = listOf(size);
				const { readPage } = pagesOf(list, (reads) => {
					const arriving = reads === 0 ? 0 : arrivals[reads % arrivals.length];
					const added = Array.from({ length: arriving }, (_, n) => ({
						messageId: `new-${reads}-${n}`,
					}));
					list.unshift(...added);
				});
				const served = async (page: number) => {
					for (let turn = turns[page % turns.length]; turn > 0; turn -= 1) await Promise.resolve();
					return await readPage(page);
				};
				const shown = idsOf(await readHistory({ readPage: served, pagesAtOnce }));
				expect(new Set(shown).size).toBe(shown.length);
				expect(shown.filter((id) => id?.startsWith('m'))).toEqual(idsOf(listOf(size)));
			}),
			{ numRuns: 60 },
		);
	});
});

describe('reading a part of history', () => {
	test('ends with the wanted one', async () => {
		const { readPage, read } = pagesOf(listOf(9000));
		const isWanted = ({ messageId }: MessageRecord) => messageId === 'm1500';
		expect(await readHistory({ readPage, wanted: 1, isWanted })).toEqual([{ messageId: 'm1500' }]);
		expect(read).toEqual([1, 2]);
	});

	test.each([1, 5])('is rejected with too many pages, %d at once', async (pagesAtOnce) => {
		const { readPage, read } = pagesOf(listOf(9000));
		const reading = readHistory({ readPage, pagesAtOnce, mostPages: 3 });
		await expect(reading).rejects.toMatchObject({ kind: 'unreadable' });
		expect(read).toEqual([1, 2, 3]);
		expect(await readHistory({ readPage, pagesAtOnce, mostPages: 9 })).toHaveLength(9000);
	});
});

const readOnce = async (page: Partial<HistoryPage>) =>
	await readHistory({
		readPage: async (n) =>
			await Promise.resolve({ messages: [], limit: pageSize, ...(n === 1 && page) }),
	});

test('keeps messages to several numbers that share an ID, and drops duplicates', async () => {
	const [a, b] = ['959779100001', '959779100002'].map((to) => ({ messageId: 'same', to }));
	expect(await readOnce({ messages: [a, b, b, a], records: 2 })).toEqual([a, b]);
});

describe('a history that contradicts itself is unreadable', () => {
	const page = listOf(20);
	test.each<[string, Partial<HistoryPage>]>([
		['a first page that is not the first', { messages: page, records: 40, start: 20 }],
		['an empty first page, although there are messages', { records: 5 }],
		['fewer messages than it counts', { messages: page, limit: 1000, records: 150 }],
	])('%s', async (_, shown) => {
		await expect(readOnce(shown)).rejects.toMatchObject({
			kind: 'unreadable',
			facts: { note: expect.stringContaining('contradicts itself') as string },
		});
	});

	test('pages with a gap between them, also where the search would end behind it', async () => {
		const readPage = async (n: number) =>
			await Promise.resolve({
				messages: page.map(({ messageId }) => ({ messageId: `${messageId} ${n}` })),
				...{ limit: 1000, records: 4000, start: (n - 1) * 1000 },
			});
		const isEnd = ({ start }: HistoryPage) => start === 1000;
		await expect(readHistory({ readPage, isEnd })).rejects.toMatchObject({
			facts: { note: expect.stringContaining('page 2 begins at 1000 after 20') as string },
		});
	});

	test('the same page again and again', async () => {
		const readPage = async () => await Promise.resolve({ messages: page, limit: 20, records: 150 });
		await expect(readHistory({ readPage })).rejects.toMatchObject({ kind: 'unreadable' });
		expect(await readHistory({ readPage, wanted: 5 })).toHaveLength(5);
	});
});
