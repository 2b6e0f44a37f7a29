import { readExample } from '../../../scripts/n8n/examples';
import { formLogin } from '../../support/e2e/ExampleRunner';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { assign, rewrite, Week } from '../../support/e2e/Week';

const count = 60;
const phonesOf = (prefix: string) =>
	Array.from({ length: count }, (_, n) => `0979${prefix}${100 + n}`);

/** Requests that a kill can leave half of. */
const inSmallRequests = (name: string) =>
	rewrite(readExample(name), [
		[/("from":"[^"]*",)"options":\{/g, '$1"options":{"recipientsPerRequest":10,'],
	]);

sinceN8n2('forms as the examples use them').describe('a week of campaigns by hand', () => {
	let week: Week;
	beforeAll(async () => {
		week = await Week.open();
	});
	beforeEach(async () => {
		await week.runner.reset();
		week.runner.sandbox.configure({ balance: 1_000_000 });
	});
	afterAll(async () => await week?.close());

	const sent = () => week.runner.sandbox.messages().map(({ to }) => to);
	const expectEachOnce = (phones: string[]) =>
		expect(sent().sort()).toEqual(phones.map((phone) => `95${phone.slice(1)}`).sort());
	/** Kills n8n with requests in flight: two that the service has accepted, and others that it has not. */
	const crashWhileSending = async (start: () => Promise<unknown>) => {
		const { sandbox } = week.runner;
		const match = { path: '/rest/send/bulk' };
		sandbox.addFault({ match, when: 'after', effect: 'hang', count: 2 });
		sandbox.addFault({ match, effect: 'hang' });
		const before = sandbox.countRequests(match);
		// The kill ends this, too.
		const started = start().catch(() => undefined);
		await week.until('requests without a response', async () => {
			return sandbox.countRequests(match) >= before + 2 || undefined;
		});
		await week.n8n.crash();
		await started;
		sandbox.clearFaults();
	};

	test('a spreadsheet is sent once, over an hour without service and a kill', async () => {
		const { runner } = week;
		const phones = phonesOf('5000');
		const example = inSmallRequests('bulk-from-spreadsheet');
		const { open } = await week.publishForm(example, {}, formLogin);
		const upload = async () => {
			const visitor = await open();
			const rows = ['phone,name', ...phones.map((phone, n) => `${phone},Customer ${n}`)];
			const file = new File([rows.join('\n')], 'customers.csv', { type: 'text/csv' });
			await visitor.submit({ 'field-0': file });
			return visitor;
		};
		const send = { 'field-0': JSON.stringify(['Send the messages']) };
		await runner.disconnect();
		expect((await upload()).text).toMatch(/could not be reached/);
		await runner.reconnect();

		const visitor = await upload();
		expect(visitor.text).toMatch(new RegExp(`Messages to send\\s+${count}\\s`));
		await crashWhileSending(async () => await visitor.submit(send));
		const again = await upload();
		const before = sent().length;
		expect(again.text).toContain(`Already sent in the last 24 hours, not sent again (${before})`);
		await again.submit(send);
		expect(again.text).toContain(`${count - before} accepted, 0 not sent, 0 unknown`);
		expectEachOnce(phones);
	});

	test('a campaign skips who has opted out, and sends once to the others, over an hour without service and a kill', async () => {
		const { runner, n8n } = week;
		const phones = phonesOf('6000');
		const people = phones.map((phone) => ({ phone, name: 'Aye' }));
		const { workflow, open } = await week.publishForm(inSmallRequests('opt-outs'), {
			Customers: assign({ stopLink: 'https://n8n.test/form/stop', people }),
		});
		const { id } = workflow;
		await runner.execute(workflow, 'Once: create SMS opt-outs');
		const optOut = async (phone: string) => {
			const visitor = await open();
			await visitor.submit({ 'field-0': phone });
			expect(visitor.text).toContain('You will get no more campaign messages from us.');
		};
		await runner.disconnect();
		expect((await runner.execute(workflow, 'Start the campaign')).error).toBeDefined();
		await optOut(phones[count - 1]);
		await runner.reconnect();

		await crashWhileSending(async () => await n8n.api.runManually(id, 'Start the campaign'));
		await optOut(phones[count - 2]);
		// n8n offers no Retry for an execution by hand that crashed.
		await runner.execute(workflow, 'Start the campaign');
		expectEachOnce(phones.slice(0, count - 2));
	});
});
