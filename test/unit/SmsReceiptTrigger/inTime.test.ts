import { inTime } from '../../../nodes/SmsReceiptTrigger/inTime';

describe('inTime', () => {
	test('gives what comes in time, also nothing at all', async () => {
		expect(await inTime(Promise.resolve('here'), 100)).toBe('here');
		expect(await inTime(Promise.resolve(undefined), 100)).toBeUndefined();
	});

	test('gives nothing when it takes longer, and does not wait for it', async () => {
		const begin = Date.now();
		expect(await inTime(new Promise(() => undefined), 30)).toBeUndefined();
		expect(Date.now() - begin).toBeGreaterThanOrEqual(25);
	});

	test('fails as the promise does', async () => {
		await expect(inTime(Promise.reject(new Error('failed')), 100)).rejects.toThrow('failed');
	});
});
