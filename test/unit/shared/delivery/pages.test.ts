import { Ledger } from '../../../../nodes/shared/delivery/ledger';
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

	test('knows also what n8n has saved of a retry in another process', async () => {
		const here = begin();
		await Ledger.use(here, async (ledger) => {
			const [, inDoubt] = ledger.entries([first, abroad]);
			const sent = { message: 'Hello', from: 'MyShop', account: '' };
			inDoubt.note({ is: 'sent', sent, request: 'r1' });
		});
		const memory = JSON.stringify(here.getContext('node'));
		const saved = JSON.parse(memory) as { ledger: Record<string, { entries: object }> };
		const [page] = Object.values(saved.ledger);
		const readAfter = async (entry: object, key = Object.keys(page.entries)[0]) => {
			Object.assign(page.entries, { [key]: entry });
			const next = begin();
			Object.assign(next.getContext('node'), structuredClone(saved));
			return await Ledger.use(next, async (ledger) =>
				ledger.entries([first, abroad]).map(({ state }) => state),
			);
		};
		expect(await readAfter({ state: 'accepted', record })).toEqual(['accepted', 'inDoubt']);
		// One that is behind what this process knows.
		expect(await readAfter({ state: 'open' })).toEqual(['accepted', 'inDoubt']);
		const [, key] = Object.keys(page.entries);
		const other = { ...record, messageId: 'b', message: 'Other' };
		expect(await readAfter({ state: 'accepted', record: other }, key)).toEqual([
			...['accepted', 'inDoubt'],
		]);
		const same = { ...record, messageId: 'b' };
		expect(await readAfter({ state: 'accepted', record: same }, key)).toEqual([
			...['accepted', 'accepted'],
		]);
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
