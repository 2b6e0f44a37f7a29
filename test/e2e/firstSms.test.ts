import { startSandbox, type Sandbox } from '../../sandbox';
import { openStage, type OpenStage } from '../../tools/docsImages/openStage';
import * as scenes from '../../tools/docsImages/scenes';
import { owner, startN8n, type OwnN8n } from '../../tools/harness';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

sinceN8n2('editor like the one that these tests operate').describe(
	'the first SMS in the editor of n8n',
	() => {
		let n8n: OwnN8n;
		let sandbox: Sandbox;
		let stage: OpenStage;

		beforeAll(async () => {
			// An n8n of its own, in which there are no credentials of other tests to choose from.
			sandbox = await startSandbox({ pace: 300 });
			n8n = await startN8n();
			stage = await openStage({ api: n8n.api, owner, sandbox });
		});
		afterAll(async () => {
			await stage?.close();
			await sandbox?.close();
			await n8n?.close();
		});

		test('needs a credential, whose test reports a wrong secret', async () => {
			const { refused, accepted } = await scenes.makeCredential(stage);
			expect(refused).toContain('The service rejected the credential (HTTP 401)');
			expect(refused).toContain('Check the API key and the API secret');
			expect(accepted).toContain('Connection tested successfully');
		});

		test('is sent, and a wrong number is explained', async () => {
			const { output, error } = await scenes.sendMessage(stage);
			expect(output).toContain('959791234567');
			expect(error).toMatch(/To is too short.*such as 09791234567/s);
			expect(sandbox.messages()).toMatchObject([{ message: 'Your order is on its way' }]);
		});
	},
);
