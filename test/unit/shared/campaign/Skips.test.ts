import { deliverKept, Skips } from '../../../../nodes/shared/campaign/Skips';

const a = '959791234567';
const b = '+6591234567';
const onlyDuplicates = { isSkippingDuplicates: true, optedOut: new Set<string>() };

describe('who is skipped', () => {
	test('is every number but the first of it, in an item and over the items', () => {
		const skips = new Skips(onlyDuplicates);
		expect(skips.take([a, a, b], 0)).toEqual([undefined, 'duplicate', undefined]);
		expect(skips.take([b, a], 1)).toEqual(['duplicate', 'duplicate']);
	});

	test('is nobody for an item whose message was begun in an earlier try', () => {
		const skips = new Skips(onlyDuplicates, [{ item: 1, to: a }]);
		expect(skips.take([a], 0)).toEqual(['duplicate']);
		expect(skips.take([a], 1)).toEqual([undefined]);
	});

	test('is who opted out, before it is a duplicate', () => {
		const skips = new Skips({ isSkippingDuplicates: true, optedOut: new Set([a]) });
		expect(skips.take([a, a, b], 0)).toEqual(['optedOut', 'optedOut', undefined]);
	});

	test('is no duplicate where only opt-outs are skipped', () => {
		const skips = new Skips({ isSkippingDuplicates: false, optedOut: new Set([b]) });
		expect(skips.take([a, a, b], 0)).toEqual([undefined, undefined, 'optedOut']);
	});

	test('is left out of what is counted, in any spelling', () => {
		const written = ['09791234567', '+959791234567', '65 9123 4567', 'nobody'];
		const both = { isSkippingDuplicates: true, optedOut: new Set([b]) };
		expect(new Skips(both).leaveOut(written)).toHaveLength(2);
		expect(new Skips({ ...both, isSkippingDuplicates: false }).leaveOut(written)).toHaveLength(3);
	});
});

test('an item reports its recipients in their order, skipped or not', async () => {
	const told: unknown[] = [];
	const report = {
		add: (json: unknown) => void told.push(json),
		fail: (error: unknown) => void told.push(error),
	};
	const messages = ['1', '2', '3', '4'].map((to) => ({ to }));
	await deliverKept(
		messages,
		['duplicate', undefined, 'optedOut', undefined],
		(kept) =>
			kept.map(async ({ to }) => {
				if (to === '4') throw new Error('refused');
				return { to, messageId: 'id' };
			}),
		{ ...report, shape: (record) => ({ ...record, isShaped: true }) },
	);
	expect(told).toEqual([
		{ to: '1', skipped: 'duplicate' },
		{ to: '2', messageId: 'id', isShaped: true },
		{ to: '3', skipped: 'optedOut' },
		new Error('refused'),
	]);
});
