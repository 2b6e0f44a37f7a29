import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';
const record = { messageId: 'a', message: 'Hello', status: 'Accepted' };
const first = { to: '959779100001', isTest: false, text: 'Hello' };
const abroad = { ...first, to: '+6591234567' };

describe('a retry in a process that remembers an earlier one', () => {
	const at = Date.now() - 9_000_000;
	const begin = () =>
		openContext(nowhere, {
			...{ execution: newExecution(at), mode: 'retry', workflowId: 'workflow' },
		});

	test('goes on with what that one has sent, whatever n8n saved before it', async () => {
		const here = begin();
		const saved = structuredClone(here.getContext('node'));
		await Ledger.use(here, async (ledger) => {
			const [accepted, inDoubt] = ledger.entries([first, abroad]);
			accepted.note({ is: 'accepted', record });
			const sent = { message: 'Hello', from: 'MyShop', account: '' };
			inDoubt.note({ is: 'sent', sent, request: 'r1' });
		});
		const look = async () => {
			const next = begin();
			Object.assign(next.getContext('node'), structuredClone(saved));
			return await Ledger.use(next, async (ledger) =>
				ledger.entries([first, abroad]).map(({ state }) => state),
			);
		};
		expect(await look()).toEqual(['accepted', 'inDoubt']);
		const inTenMinutes = performance.now() + 601_000;
		const clock = jest.spyOn(performance, 'now').mockReturnValue(inTenMinutes);
		expect(await look()).toEqual(['open', 'open']);
		clock.mockRestore();
	});

	test('uses no accepted record for a second message', async () => {
		const here = begin();
		await Ledger.use(here, async (ledger) => {
			ledger.entries([first])[0].note({ is: 'accepted', record });
		});
		const [page] = Object.values(
			(here.getContext('node') as { ledger: Record<string, { entries: object }> }).ledger,
		);
		const [key] = Object.keys(page.entries);
		const other = key.replace(/0$/, '1');
		const entries = { [other]: { state: 'accepted', record } };
		const next = begin();
		Object.assign(next.getContext('node'), { ledger: { 0: { ...page, entries } } });
		const states = await Ledger.use(next, async (ledger) =>
			ledger.entries([first, { ...first, text: 'Other' }]).map(({ state }) => state),
		);
		expect(states).toEqual(['accepted', 'open']);
	});
});
