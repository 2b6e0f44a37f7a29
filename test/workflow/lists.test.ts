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
			"Use {{ $('Source').all().map((row) => row.json.out) }} to skip all of them.",
		],
		[
			"={{ $('Source').item.json.out.trim() }}",
			"Use {{ $('Source').all().map((row) => row.json.out.trim()) }} to skip all of them.",
		],
		[
			"=0977912345{{ 9 }}, {{$('Source').item.json['out']}}, 09779123458",
			"Use {{ $('Source').all().map((row) => row.json['out']) }} to skip all of them.",
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

	test('in which mother and child have one phone: Skip Duplicates says whom it left out', async () => {
		const items = ['Ma Hla', 'Ko Ko', 'Ma Ma'].map((name) => ({ name, to: '09779123456' }));
		const options = { skipDuplicates: true };
		const message = '=Dear {{ $json.name }}, see you';
		const { hints } = await run({ ...mapped, message, options }, { items });
		expect(hints.join()).toContain(
			'Skip Duplicates: 2 not sent, because an earlier item has the same number (Ko Ko, 959779123456; Ma Ma, 959779123456). The text differs in 2 of them.',
		);
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

	test('cannot be a time of Excel without its date', async () => {
		const items = [{ to: '09779123456', message: 'Hello', at: 0.375 }];
		const options = { scheduledAt: '={{ $json.at }}' };
		const { error } = await run({ ...mapped, options }, { items });
		expect(error?.message).toBe('Scheduled At is a time without a date: 0.375');
		expect(sandbox.requests()).toEqual([]);
	});

	test('is no message sent: executing again schedules it again', async () => {
		const items = ['6', '7'].map((n) => ({ to: `0977912345${n}`, message: 'Hello' }));
		const options = { scheduledAt: `${ahead}T09:00`, clientReference: '={{ $json.to }}' };
		const settings = { onError: 'continueRegularOutput' } as const;
		const { hints } = await run({ ...mapped, options }, { items, settings });
		expect(hints.join()).toContain('2 scheduled (2 parts).');
		expect(hints.join()).toMatch(
			/2 messages are scheduled, the first for .*\. If you execute this again, they are scheduled again\. To avoid that, add Client Reference and Skip If Already Sent\./,
		);
		const skipping = { ...options, skipIfAlreadySent: true };
		const again = await run({ ...mapped, options: skipping }, { items, settings });
		expect(again.hints.join()).not.toContain('again');
	});
});
