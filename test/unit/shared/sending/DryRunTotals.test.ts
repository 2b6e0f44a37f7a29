import { DryRunTotals } from '../../../../nodes/shared/sending/DryRunTotals';
import { ServiceError } from '../../../../nodes/shared/client/ServiceError';

const sent = { to: '959791234567', wouldSend: true, parts: 3 };

function totalsOf(...rows: object[]): DryRunTotals {
	const totals = new DryRunTotals({ skipDuplicates: false, doNotSendTo: new Set(['09']) });
	for (const row of rows) totals.add(row as never);
	return totals;
}

describe('the totals of a dry run', () => {
	test('count every recipient once', () => {
		const skipped = ['duplicate', 'optedOut', 'optedOut', 'alreadySent'];
		const rows = skipped.map((reason) => ({ ...sent, wouldSend: false, skipped: reason }));
		const totals = totalsOf(sent, sent, { wouldSend: false, rejected: 'wrong' }, ...rows);
		expect(totals.describe()).toBe(
			'Dry run: nothing was sent. Recipients: 7. To send: 2 (parts: 6). Rejected: 1, listed first. Duplicates: 0. With an empty field: 0. On Do Not Send To: 2. Already sent: 1.',
		);
	});

	test('count duplicates and empty fields whatever the options', () => {
		const totals = new DryRunTotals({ skipDuplicates: false, doNotSendTo: new Set() });
		totals.notice({ isRepeat: true, hasGap: true });
		totals.notice({ hasGap: true, isInvalid: true });
		const words = totals.describe('2 items are wrong.');
		expect(words).toContain('Dry run: nothing was sent. 2 items are wrong. Recipients');
		expect(words).toContain('Duplicates: 1 (1 would be sent: Skip Duplicates is off).');
		expect(words).toContain(
			'With an empty field: 2 (1 would be sent: Reject Empty Fields is off).',
		);
		expect(words).toContain('Opt-outs: not checked, Do Not Send To is empty.');
		const safe = new DryRunTotals({ skipDuplicates: true, doNotSendTo: new Set() });
		safe.notice({ isRepeat: true });
		expect(safe.describe()).toContain('Duplicates: 1. With');
	});

	test('cost the messages that only a limit of the run holds back', async () => {
		const totals = new DryRunTotals({ skipDuplicates: true, doNotSendTo: new Set() });
		totals.add({ ...sent, wouldSend: false, rejected: 'Max Messages' }, true);
		expect(totals.describe()).toContain('To send: 1 (parts: 3). Rejected: 0.');
		expect(await totals.describeCost(0, async () => ({ balance: 1 }))).toBe(
			'Enter Price per Part to see the cost.',
		);
	});

	test.each([
		[1.2, 'Your balance of 1.2 MMK is sufficient'],
		[1, 'Your balance of 1 MMK is 0.2 MMK short'],
	])('compare the cost with a balance of %d', async (balance, words) => {
		const getBalance = async () => ({ balance, currency: 'MMK' });
		const said = await totalsOf(sent).describeCost(0.4, getBalance);
		expect(said).toContain('Cost at 0.4 MMK per part: 1.2 MMK. ');
		expect(said).toContain(words);
		expect(said).not.toContain('other countries');
	});

	test('say what the cost leaves open', async () => {
		const totals = totalsOf(sent, { ...sent, to: '+6591234567' });
		const said = await totals.describeCost(2, async () => {
			throw new ServiceError('authentication', { status: 401 });
		});
		expect(said).toMatch(/per part: 12\. .* Prices in other countries differ \(recipients: 1\)\.$/);
		expect(said).toMatch(/The balance could not be compared: .*401/);
	});

	test('say so when the service returns a balance that is not a number', async () => {
		const said = await totalsOf(sent).describeCost(2, async () => ({ balance: 'much' }));
		expect(said).toContain('The balance could not be compared');
	});
});
