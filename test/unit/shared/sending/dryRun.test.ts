import { ServiceError } from '../../../../nodes/shared/client/failure';
import { InputError } from '../../../../nodes/shared/input/InputError';
import { describeCost, describeTotals, type Row } from '../../../../nodes/shared/sending/dryRun';
import { toCause } from '../../../../nodes/shared/sending/entries';
import type { Run } from '../../../../nodes/shared/sending/plan';

const toRow = (more: Partial<Row> = {}): Row => ({
	item: 0,
	result: 'notSent',
	to: '959791234567',
	json: {},
	parts: 0,
	...more,
});
const sent = toRow({ result: 'toSend', parts: 3 });
const context = { getInputData: () => [{ json: {} }] };
const open = {
	context,
	values: { skipDuplicates: false, doNotSendTo: new Set<string>() },
} as unknown as Run;
const costOf = async (rows: Row[], pricePerPart: number, getBalance: () => Promise<object>) =>
	await describeCost({ client: { getBalance }, values: { pricePerPart } } as never, rows);

describe('the totals of a dry run', () => {
	test('count every recipient once', () => {
		const skipped = ['duplicate', 'optedOut', 'optedOut', 'alreadySent'] as const;
		const all = [sent, sent, toRow(), ...skipped.map((result) => toRow({ result }))];
		expect(
			describeTotals(
				{ ...open, values: { ...open.values, doNotSendTo: new Set(['09']) } },
				all,
				'',
			),
		).toBe(
			'Dry run: nothing was sent. Recipients: 7. To send: 2 (parts: 6). 1 wrong: item 1. Duplicates: 0. On Do Not Send To: 2. Already sent: 1.',
		);
	});

	test('count duplicates whatever the options', () => {
		const rows = [toRow({ isRepeat: true }), toRow()];
		const words = describeTotals(open, rows, '2 items are wrong.');
		expect(words).toContain('Dry run: nothing was sent. 2 items are wrong. Recipients');
		expect(words).toContain('Duplicates: 1 (they would be sent: Skip Duplicates is off).');
		expect(words).toContain('Opt-outs: not checked, Do Not Send To is empty.');
		expect(
			describeTotals({ ...open, values: { ...open.values, skipDuplicates: true } }, rows, ''),
		).toContain('Duplicates: 1. Opt-outs');
	});

	test('cost the messages that only a limit of the run holds back', async () => {
		const rows = [toRow({ parts: 3 })];
		expect(await costOf(rows, 2, async () => ({ balance: 6 }))).toContain('per part: 6.');
	});
});

describe('money', () => {
	test.each([
		[1.2, 'Your balance of 1.2 MMK is sufficient'],
		[1, 'Your balance of 1 MMK is 0.2 MMK short'],
		[0, 'Your balance of 0 MMK is 1.2 MMK short'],
	])('compare the cost with a balance of %d', async (balance, words) => {
		const said = await costOf([sent], 0.4, async () => ({ balance, currency: 'MMK' }));
		expect(said).toBe(`Cost at 0.4 MMK per part: 1.2 MMK. ${words}.`);
	});

	test('say what the cost leaves open', async () => {
		const abroad = toRow({ to: '+6591234567', parts: 3 });
		const said = await costOf([sent, abroad], 2, async () => {
			throw new ServiceError('authentication', { status: 401 });
		});
		expect(said).toMatch(/per part: 12\. .* Prices in other countries differ \(recipients: 1\)\.$/);
		expect(said).toMatch(/The balance could not be compared: .*401/);
	});

	test.each(['much', '', null])(
		'say so when the service returns the balance %j',
		async (balance) => {
			const said = await costOf([sent], 2, async () => ({ balance }));
			expect(said).toBe(
				'Cost at 2 per part: 6. The balance could not be compared: the service returned none.',
			);
		},
	);
});

describe('entries', () => {
	test.each([
		[
			new InputError('to', 'To is not a phone number', 'Hint', { value: '1' }),
			'The number is not a phone number',
		],
		[
			new InputError('from', 'Sender ID: {{ $json.shop }} is empty', 'Fill it in.'),
			'Sender ID: shop is empty',
		],
		[
			new ServiceError('outcomeUnknown', { status: 503, to: '959791234561' }),
			'Outcome unknown: the message may have been sent. Look for it in SMS History before you send it again',
		],
		[new Error('Lost'), 'Lost'],
	])('have the cause of %s', (error, cause) => {
		expect(toCause(error)).toEqual(cause);
	});

	test('have the day of an earlier message', () => {
		expect(toCause(undefined, { createdAt: '2026-11-20 09:30:00' })).toBe('sent on 2026-11-20');
		expect(toCause(undefined, {})).toBeUndefined();
	});
});
