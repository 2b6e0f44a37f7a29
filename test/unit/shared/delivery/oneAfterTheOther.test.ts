import { randomUUID } from 'node:crypto';

import { oneAfterTheOther } from '../../../../nodes/shared/delivery/oneAfterTheOther';

describe('oneAfterTheOther', () => {
	test('lets a work begin when the one before it has ended, and hands on its page', async () => {
		const name = randomUUID();
		const seen: string[] = [];
		const work = (who: string) => async (page: string[]) => {
			seen.push(`${who} begins`);
			await new Promise((resolve) => setImmediate(resolve));
			page.push(who);
			seen.push(`${who} ends with ${page.join()}`);
		};
		await Promise.all(['a', 'b'].map(async (who) => await oneAfterTheOther(name, [], work(who))));
		expect(seen).toEqual(['a begins', 'a ends with a', 'b begins', 'b ends with a,b']);
	});

	test('goes on after a work that failed, with what it has left', async () => {
		const name = randomUUID();
		const failing = oneAfterTheOther(name, ['left'], async () => {
			throw new Error('failed');
		});
		const next = oneAfterTheOther(name, [], async (page: string[]) => page);
		await expect(failing).rejects.toThrow('failed');
		await expect(next).resolves.toEqual(['left']);
	});

	test('keeps other names apart', async () => {
		await oneAfterTheOther(randomUUID(), ['one'], async () => undefined);
		await expect(oneAfterTheOther(randomUUID(), ['own'], async (page) => page)).resolves.toEqual([
			'own',
		]);
	});
});
