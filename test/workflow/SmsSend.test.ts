import { startSandbox, type Sandbox } from '../../sandbox';
import { credentialsOf } from './credentialsOf';
import { runNode } from './runWorkflow';

describe('SMS Send', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const send = async (parameters: object, items = [{}], settings = {}) =>
		await runNode(
			{
				type: 'SmsSend',
				parameters: { to: '09791234567', message: 'Hello', from: 'MyShop', ...parameters },
				settings,
			},
			{ credentials: credentialsOf(sandbox), items },
		);

	test('sends one message and gives the record of the service', async () => {
		const { json, error } = await send({});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(json[0]).toMatchObject({ to: '959791234567', message: 'Hello', status: 'Accepted' });
		expect(sandbox.messages()).toHaveLength(1);
	});
});
