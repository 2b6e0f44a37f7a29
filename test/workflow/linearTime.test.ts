import { mapped } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const enough = { balance: 1e9, maxMessagesKept: 1_000_000 };
const text = { message: 'Hello', from: 'MyShop' };

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => `95977${String(1_000_000 + index)}`);

/** Milliseconds of processor time, which other programs at work do not change. */
async function measure(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

describe('SMS Bulk Send to many numbers of one item', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const few = 5_000;
	const times = 20;

	test('takes time in proportion to their number', async () => {
		const send = async (count: number) => {
			const { json } = await run({ to: numbers(count), ...text });
			expect(json).toHaveLength(count);
		};
		await send(few);
		const msOfFew = await measure(async () => await send(few));
		const msOfMany = await measure(async () => await send(few * times));
		// In proportion it is 20 times as much; with the square of the number it would be 400 times.
		expect(msOfMany / msOfFew).toBeLessThan(2 * times);
	}, 120_000);
});

describe('Skip If Already Sent of SMS Bulk Send', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const count = 20_000;

	test('reads history once for all items, in pages of 1,000, five at a time', async () => {
		const items = numbers(count).map((to) => ({ to, message: 'Hello' }));
		const now = Date.now();
		sandbox.seedMessages(count, (index) => ({
			...items[index],
			from: 'MyShop',
			createdAtMs: now - count + index,
		}));
		sandbox.configure({ latencyMs: 50 });
		const { json } = await run({ ...mapped, safeguards: { skipIfAlreadySent: true } }, { items });
		expect(json.filter(({ alreadySent }) => alreadySent === true)).toHaveLength(count);
		expect(sandbox.stats().byPath).toEqual({
			'/api/rest/messages': { requests: count / 1000, peakInFlight: 5 },
		});
		expect(Date.now() - now).toBeLessThan(10_000);
	}, 60_000);
});
