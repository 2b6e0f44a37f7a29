import type { INode } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import { openStage, type OpenStage } from '../../tools/docsImages/openStage';
import * as scenes from '../../tools/docsImages/scenes';
import { owner, startN8n, type OwnN8n } from '../../tools/harness';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

/** The identifiers of receipt URLs. */
const idsOf = (nodes: INode[]) =>
	nodes.flatMap(({ type, webhookId }) => (type.endsWith('.smsReceiptTrigger') ? webhookId : []));

/** The same scenes as in the pictures of the README, played one after the other in one browser. */
sinceN8n2('editor like the one that these tests operate').describe(
	'a person in the editor of n8n',
	() => {
		let sandbox: Sandbox;
		let n8n: OwnN8n;
		let stage: OpenStage;
		beforeAll(async () => {
			// One after the other, so that what has started is known and closed when the next one fails.
			sandbox = await startSandbox({ pace: 300 });
			n8n = await startN8n({ withEditor: true });
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

		test('sends the first SMS, and a wrong number is explained', async () => {
			const { output, error } = await scenes.sendMessage(stage);
			expect(output).toContain('959791234567');
			expect(error).toMatch(/To is too short.*such as 09791234567/s);
			expect(sandbox.messages()).toMatchObject([{ message: 'Your order is on its way' }]);
		});

		test('finds the nodes by the words that people type; test/unit/builders.test.ts has more', async () => {
			const wanted: Record<string, string> = {
				...{ 'send sms': 'SMS Send', 'bulk sms': 'SMS Bulk Send', balance: 'SMS Balance' },
				...{ 'one-time password': 'OTP Request', 'verify phone': 'OTP Request' },
				...{
					approval: 'SMS Send and Wait for Response',
					'delivery report': 'SMS Delivery Receipt',
				},
			};
			const found = await scenes.findNodes(stage, Object.keys(wanted));
			for (const [word, name] of Object.entries(wanted))
				expect([word, found[word]]).toEqual([word, expect.arrayContaining([name])]);
		});

		test('finds the credential by what it is for', async () => {
			const words = ['sms', 'otp', 'messaging service'];
			const found = await scenes.findCredential(stage, words);
			for (const word of words)
				expect([word, found[word]]).toEqual([
					word,
					expect.arrayContaining(['SMS and OTP Messaging Service API']),
				]);
		});

		test('reads what surprises about an option, without any HTML', async () => {
			const words = await scenes.readNotices(stage);
			// Each beside its option.
			expect(words).toMatch(/Encrypt\b.*returns the key only once/s);
			expect(words).toMatch(/Scheduled At\b.*cannot be canceled/s);
			expect(words).toMatch(/Test\b.*may never reach the phone/s);
			expect(words).not.toMatch(/<\/?\w+>/);
		});

		test('sends to several people in bulk', async () => {
			const output = await scenes.sendInBulk(stage);
			expect(output).toContain('2 items');
			expect(
				sandbox.messages().filter(({ message }) => message === 'We open on Sunday'),
			).toHaveLength(2);
		});

		test('waits for the delivery of a message', async () => {
			expect(await scenes.sendAndWait(stage)).toContain('delivered');
			expect(sandbox.messages().at(-1)).toMatchObject({ status: 'Delivered' });
		});

		test('asks a person, who approves on a page', async () => {
			const { page, output } = await scenes.askPerson(stage);
			expect(page).toContain('Refund 45,000 MMK to order 1234?');
			expect(output).toMatch(/approved[^]*respondedAt/);
		});

		test('executes a whole workflow on the canvas', async () => {
			expect(await scenes.runExample(stage)).toBe('Workflow executed successfully');
			expect(sandbox.messages().at(-1)).toMatchObject({ status: 'Delivered' });
		});

		test('lists what was sent', async () => {
			expect(await scenes.listHistory(stage)).toContain('7 items');
		});

		test('reads the balance', async () => {
			expect(await scenes.readBalance(stage)).toContain(String(sandbox.balance().balance));
		});

		test('requests a code, and has a wrong one and the right one checked', async () => {
			expect(await scenes.requestCode(stage)).toContain('requestId');
			const { verified, rejected } = await scenes.verifyCode(stage);
			expect(rejected).toContain('Rejected Branch (1 item)');
			expect(rejected).not.toContain('Verified Branch (1 item)');
			expect(verified).toContain('Verified Branch (1 item)');
			expect(verified).not.toContain('Rejected Branch (1 item)');
		});

		test('sees the output fields of a node before it was executed', async () => {
			const requests = sandbox.requests().length;
			const preview = await scenes.previewOutput(stage);
			for (const field of ['channel', 'requestId', 'to', 'createdAt', 'expireAt'])
				expect(preview).toContain(field);
			expect(sandbox.requests().map(({ path }) => path)).toHaveLength(requests);
		});

		test('reads where to paste the address of the trigger, and sees a receipt come in', async () => {
			const { panel, notice, output } = await scenes.receiveReceipt(stage);
			expect(panel).toContain('copy the Test URL');
			expect(panel).toContain('The first receipt may be Sent');
			expect(notice).toContain('Copy the Production URL');
			for (const words of [panel, notice]) expect(words).not.toMatch(/<\/?\w+>/);
			expect(output).toContain('2026-11-20T08:00:05.000Z');
		});

		test('visits the form of the example, types a wrong code and then the right one', async () => {
			const { rejected, verified } = await scenes.visitForm(stage);
			expect(rejected).toContain('wrong');
			expect(verified).toContain('Your phone number is verified');
		});

		test('opens the dashboard of the example, drawn without a script', async () => {
			const text = await scenes.viewDashboard(stage);
			expect(text).toContain('Delivery of the last 7 days');
			expect(text).toContain('Undelivered');
		});

		test('keeps the URL of a trigger for its duplicate, as docs/receipts.md says', async () => {
			const { editor: canvas, page, api } = stage;
			const { id } = await canvas.openNewWorkflow('Duplicate', true);
			await canvas.addNode('SMS Delivery Receipt', 'On any status');
			await canvas.leaveNode();
			await page.getByTestId('canvas-node').first().click();
			await page.keyboard.press('ControlOrMeta+d');
			await page.getByTestId('canvas-node').nth(1).waitFor();
			await page.keyboard.press('ControlOrMeta+s');
			const saved = async () => {
				const { nodes } = await api.getWorkflow(id);
				return idsOf(nodes).length === 2 ? idsOf(nodes) : undefined;
			};
			const ids = await until(saved, { what: 'two triggers' });
			expect(new Set(ids).size).toBe(1);
		});
	},
);
