import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { DigestTable } from '../../../nodes/SmsReceiptTrigger/DigestTable';

describe('DigestTable', () => {
	const toDigest = (text: string) => createHash('sha256').update(text).digest();

	test('says of every digest what a Map says', () => {
		const entry = fc.tuple(fc.nat(5_000), fc.integer({ min: 1, max: 0xffff_ffff }));
		fc.assert(
			fc.property(fc.array(entry, { minLength: 2_000, maxLength: 5_000 }), (entries) => {
				const table = new DigestTable();
				const map = new Map<string, number>();
				for (const [n, second] of entries) {
					table.add(toDigest(`${n}`), second);
					map.set(`${n}`, second);
				}
				const names = Array.from({ length: 5_001 }, (_, n) => `${n}`);
				expect(names.map((name) => table.secondOf(toDigest(name)))).toEqual(
					names.map((name) => map.get(name) ?? 0),
				);
				expect(table.count).toBe(map.size);
			}),
			{ numRuns: 10, endOnFailure: true },
		);
	});
});
