import * as scenes from '../../tools/docsImages/scenes';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useStage } from '../support/e2e/useStage';

sinceN8n2('editor like the one that these tests operate').describe(
	'the first SMS in the editor of n8n',
	() => {
		const editor = useStage();

		test('needs a credential, whose test reports a wrong secret', async () => {
			const { refused, accepted } = await scenes.makeCredential(editor.stage);
			expect(refused).toContain('The service rejected the credential (HTTP 401)');
			expect(refused).toContain('Check the API key and the API secret');
			expect(accepted).toContain('Connection tested successfully');
		});

		test('is sent, and a wrong number is explained', async () => {
			const { output, error } = await scenes.sendMessage(editor.stage);
			expect(output).toContain('959791234567');
			expect(error).toMatch(/To is too short.*such as 09791234567/s);
			expect(editor.sandbox.messages()).toMatchObject([{ message: 'Your order is on its way' }]);
		});
	},
);
