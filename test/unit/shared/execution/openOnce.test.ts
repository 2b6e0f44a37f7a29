import { ifItOpens, openOnce } from '../../../../nodes/shared/execution/openOnce';

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

	test('shows what is open, and goes on with that only', async () => {
		const gone: string[] = [];
		const door = openOnce(async () => 'door');
		expect(door.opened).toBeUndefined();
		await ifItOpens(door, (opened) => void gone.push(opened));
		expect([door.opened, ...gone]).toEqual(['door', 'door']);

		const wall = openOnce(async (): Promise<string> => {
			throw new Error('no credential');
		});
		await ifItOpens(wall, (opened) => void gone.push(opened));
		expect([wall.opened, ...gone]).toEqual([undefined, 'door']);
	});
});
