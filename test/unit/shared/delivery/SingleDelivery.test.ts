import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { Ledger } from '../../../../nodes/shared/delivery/ledger';
import { SingleDelivery } from '../../../../nodes/shared/delivery/SingleDelivery';
import { shortenDelivery } from '../../../workflow/deliveryTools';
import { newExecution, openContext } from '../../../workflow/openContext';
import { useSandbox } from '../../../workflow/useSandbox';

describe('the delivery of a message with a reference', () => {
	const sandbox = useSandbox();
	shortenDelivery();
	const open = async (execution = newExecution()) => {
		const context = openContext(sandbox, { execution });
		const client = await MessagingServiceClient.open(context, {
			parallelRequests: 5,
			timeout: 5000,
		});
		const ledger = Ledger.open(context);
		const delivery = new SingleDelivery(client, ledger);
		return async (reference?: string, isSkipping = false) => {
			const entry = ledger.entry(0, '959779100001', 0);
			const text = { to: '959779100001', message: 'Hello', from: 'MyShop' };
			return await delivery.deliver({
				request: { ...text, clientReference: reference ?? entry.reference },
				...{ surface: 'rest', entry, isUsersReference: reference !== undefined },
				...{ isSentOnce: false, isSkipping },
			});
		};
	};

	test('sends it once, and gives the record again in another try', async () => {
		const execution = newExecution();
		const first = await (await open(execution))();
		expect(await (await open(execution))()).toMatchObject({ messageId: first.messageId });
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('finds it in history when its answer got lost', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 1 });
		const record = await (await open())();
		expect(sandbox.messages()).toMatchObject([{ messageId: record.messageId }]);
	});

	test('sends the twin of one that is under way when it is to be skipped no more than once', async () => {
		const [one, other] = await Promise.all([await open(), await open()]);
		const records = await Promise.all([one('order-7', true), other('order-7', true)]);
		expect(sandbox.messages()).toHaveLength(1);
		expect(records.map(({ alreadySent }) => alreadySent)).toEqual([undefined, true]);
	});

	test('sends the same reference again where nothing is to be skipped', async () => {
		const [one, other] = await Promise.all([await open(), await open()]);
		await Promise.all([one('order-8'), other('order-8')]);
		expect(sandbox.messages()).toHaveLength(2);
	});
});
