import type { INodeParameters } from 'n8n-workflow';

import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner } from './examples/ExampleRunner';
import { forBuilders } from './examples/visitForm';
import { sinceN8n2 } from './sinceN8n2';

sinceN8n2('Data Table node that makes tables').describe('opt-outs', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	test('skips people who pressed the button behind the link of a message', async () => {
		const { nodes } = readExample('opt-outs');
		const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		const address = `${runner.n8n.url}/form/${form?.webhookId}`;
		const { parameters } = nodes.find(({ name }) => name === 'Customers') ?? {};
		const customers = JSON.parse(
			JSON.stringify(parameters).replaceAll(
				`https://n8n.example.com/form/${form?.webhookId}`,
				address,
			),
		) as INodeParameters;
		const changes = { Customers: customers };
		const workflow = await runner.import('opt-outs', changes);
		expect((await runner.execute(workflow, 'Start once')).error).toBeUndefined();
		expect((await runner.execute(workflow, 'Start the campaign')).error).toBeUndefined();
		const [, message] = runner.sandbox.messages();
		expect(runner.sandbox.messages()).toHaveLength(3);
		expect(message.message).toMatch(/\?phone=09791234562$/);
		await runner.reset();

		const open = await runner.publishForm('opt-outs', changes);
		for (const [typed, page] of [
			['0979 123 4562', 'You will get no more messages from us.'],
			['nobody', 'This is not a phone number.'],
		]) {
			const visitor = await open();
			await visitor.submit({ 'field-0': typed });
			expect(visitor.text).toContain(page);
			expect(visitor.text).not.toMatch(forBuilders);
		}
		const link = message.message.split(' ').at(-1) ?? '';
		expect((await runner.n8n.api.http.get<string>(link)).data).toContain('09791234562');

		const run = await runner.execute(
			await runner.import('opt-outs', changes),
			'Start the campaign',
		);
		expect(run.error).toBeUndefined();
		expect(run.json['Send messages'][0][1]).toMatchObject({ skipped: 'optedOut' });
		const sent = runner.sandbox.messages().map(({ to }) => to);
		expect(sent).toEqual(['959791234561', '959791234563']);
	});
});
