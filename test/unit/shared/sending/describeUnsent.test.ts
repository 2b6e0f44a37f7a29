import { Ledger } from '../../../../nodes/shared/delivery/ledger';
import { describeUnsent } from '../../../../nodes/shared/sending/describeUnsent';
import { newExecution, openContext } from '../../../support/workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };
const to = '959779100001';

test('an input error says that nothing was sent, and claims nothing about earlier attempts', async () => {
	const context = openContext(service, { execution: newExecution(), workflowId: 'workflow' });
	expect(describeUnsent(context, false)).toBe('Nothing was sent.');
	expect(describeUnsent(context, true)).toBe('Nothing was sent for this item.');
	const laterPass = openContext(service, { execution: newExecution(), runIndex: 2 });
	expect(describeUnsent(laterPass, false)).toBe('Nothing was sent in this attempt.');
	await Ledger.use(context, async (ledger) => {
		const [entry] = ledger.entries([{ to, isTest: false }]);
		entry.begin(1000, { message: 'Hello', from: 'MyShop', account: 'account' }, 'r1');
		entry.doubt(2000, true);
	});
	expect(describeUnsent(context, false)).toBe('Nothing was sent in this attempt.');
	expect(describeUnsent(context, true)).toBe('Nothing was sent for this item in this attempt.');
});
