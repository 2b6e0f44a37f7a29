import { openOnce } from '../../../../nodes/shared/execution/openOnce';

describe('openOnce', () => {
	test('opens at the first call only, also for those that come meanwhile', async () => {
		let opened = 0;
		const open = openOnce(async () => (opened += 1));
		expect(opened).toBe(0);
		expect(await Promise.all([open(), open()])).toEqual([1, 1]);
		expect(await open()).toBe(1);
	});

	test('fails everybody who needs it', async () => {
		const open = openOnce(async () => {
			throw new Error('no credential');
		});
		await expect(open()).rejects.toThrow('no credential');
		await expect(open()).rejects.toThrow('no credential');
	});
});
