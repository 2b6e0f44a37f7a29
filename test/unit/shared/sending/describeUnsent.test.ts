import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import { Ledger } from '../../../../nodes/shared/delivery/ledger';
import { describeUnsent } from '../../../../nodes/shared/sending/describeUnsent';
import { newExecution, openContext } from '../../../support/workflow/openContext';

const lost = new ServiceError('unavailable', { status: 500, mayHaveActed: true });
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
		entry.note(
			{ is: 'sent', sent: { message: 'Hello', from: 'MyShop', account: 'account' }, request: 'r1' },
			1000,
		);
		entry.note({ is: 'unclear', failure: lost }, 2000);
	});
	expect(describeUnsent(context, false)).toBe('Nothing was sent in this attempt.');
	expect(describeUnsent(context, true)).toBe('Nothing was sent for this item in this attempt.');
});
