import { ahead } from '../support/workflow/ahead';
import { runAgainst } from '../support/workflow/runAgainst';
import { mapped } from '../support/workflow/sending';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('a list of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);

	test.each([
		[
			"={{ $('Source').item.json.out }}",
			"Use {{ $('Source').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.out) }} to skip all of them.",
		],
		[
			"={{ $('Source').item.json.out.trim() }}",
			"Use {{ $('Source').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.out.trim()) }} to skip all of them.",
		],
		[
			"=0977912345{{ 9 }}, {{$('Source').item.json['out']}}, 09779123458",
			"Use {{ $('Source').all().filter((row) => Object.keys(row.json).length).map((row) => row.json['out']) }} to skip all of them.",
		],
	])('in Do Not Send To is not one row of it: %s', async (doNotSendTo, remedy) => {
		const items = ['1', '2', '3'].map((n) => ({
			...{ to: `0977912345${n}`, out: `0977912345${n}`, message: 'Hello' },
		}));
		const options = { doNotSendTo };
		const { error } = await run({ ...mapped, options }, { items });
		expect(error?.message).toBe("Do Not Send To reads one row of 'Source', which has 3");
		expect(error?.description).toContain(remedy);
		expect(sandbox.requests()).toEqual([]);
		const [, list] = /Use (.*) to skip/.exec(remedy) ?? [];
		const { json } = await run({ ...mapped, options: { doNotSendTo: `=${list}` } }, { items });
		expect(json.map(({ skipped }) => skipped)).toEqual(['optedOut', 'optedOut', 'optedOut']);
		await run({ ...mapped, options }, { items: [{ ...items[0], out: '09779123459' }] });
		expect(sandbox.messages()).toHaveLength(1);
	});
});

describe('a schedule', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsSend');
	const serial = Math.floor(Date.now() / 86_400_000) + 25_569 + 20 + 0.375;

	test.each([serial, String(serial)])('can be a date of Excel: %p', async (at) => {
		const items = [{ to: '09779123456', message: 'Hello', at }];
		const options = { scheduledAt: '={{ $json.at }}' };
		const { json, error } = await run({ ...mapped, options }, { items });
		expect(error).toBeUndefined();
		expect(json[0].scheduledAtLocal).toMatch(/ 09:00 \(Asia\/Yangon\)$/);
	});

	test.each([
		[0.375, 'is a time without a date: 0.375'],
		[Math.floor(serial), 'has no time of day: '],
		[ahead, 'has no time of day: "'],
	])('needs a date and a time of day: %p', async (at, words) => {
		const items = [{ to: '09779123456', message: 'Hello', at }];
		const options = { scheduledAt: '={{ $json.at }}' };
		const { error } = await run({ ...mapped, options }, { items });
		expect(error?.message).toContain(`Scheduled At ${words}`);
		expect(sandbox.requests()).toEqual([]);
	});
});
