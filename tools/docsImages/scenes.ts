import type { Locator, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox';
import { readExample } from '../../scripts/n8n/examples';
import type { N8nApi } from '../harness/N8nApi';
import { until } from '../../scripts/n8n/until';
import { Editor } from './Editor';

/** What people do with the nodes in n8n's editor. Each scene tells what was to be seen. */
export interface Stage {
	page: Page;
	editor: Editor;
	api: N8nApi;
	sandbox: Sandbox;
	/** Keeps what parts of the page show at this moment, where pictures are wanted. */
	picture(name: string, ...parts: Locator[]): Promise<void>;
}

const phone = '09791234567';
const sender = 'MyShop';

/** Parameters and output of the open node. */
async function pictureNode({ editor, picture }: Stage, name: string): Promise<void> {
	await editor.showOutputAs('schema');
	await picture(name, ...editor.work);
	await editor.showOutputAs('table');
}

/** Types what people would look for into the nodes panel. @returns what it finds, by the words */
export async function findNodes(stage: Stage, words: string[]): Promise<Record<string, string[]>> {
	const { editor } = stage;
	await editor.openNewWorkflow('Find nodes');
	const found: Record<string, string[]> = {};
	for (const word of words) found[word] = await editor.searchNodes(word);
	return found;
}

/** Types what people would look for where credentials are added. @returns what is offered, by the words */
export async function findCredential(
	{ page }: Stage,
	words: string[],
): Promise<Record<string, string[]>> {
	const found: Record<string, string[]> = {};
	await page.goto('/home/credentials/create');
	const search = page.getByTestId('new-credential-type-select').locator('input');
	const offered = page.getByTestId('new-credential-type-select-option').filter({ visible: true });
	for (const word of words) {
		await search.fill(word);
		await offered.filter({ hasText: 'Messaging Service' }).first().waitFor();
		found[word] = (await offered.allTextContents()).map((name) => name.trim());
	}
	return found;
}

/** Makes the credential with a wrong secret and then with the right one. @returns what its tests say */
export async function makeCredential(stage: Stage): Promise<{ refused: string; accepted: string }> {
	const { editor, sandbox } = stage;
	await editor.openNewWorkflow('Make the credential');
	await editor.addNode('SMS Send');
	await editor.panel.getByText('Connect to SMS and OTP Messaging Service').click();
	const { baseUrl, apiKey, apiSecret } = sandbox;
	const typed = { baseUrl, apiKey, apiSecret: 'not-the-secret', senderId: sender, brand: sender };
	await editor.fill(typed, editor.dialog);
	await editor.saveCredential();
	const refused = await editor.readCredentialTest();
	await stage.picture('credential-refused', editor.dialog);

	await editor.fill({ apiSecret }, editor.dialog);
	await editor.saveCredential();
	await editor.dialog.waitFor({ state: 'hidden' });
	await editor.panel.getByTestId('credential-edit-button').click();
	const accepted = await editor.readCredentialTest();
	await editor.closeCredential();
	return { refused, accepted };
}

/** Sends a message, and tries to send one to a wrong number. @returns what the editor shows */
export async function sendMessage(stage: Stage): Promise<{ output: string; error: string }> {
	const { editor } = stage;
	await editor.openNewWorkflow('Send a message');
	await editor.addNode('SMS Send');
	await editor.fill({ to: phone, message: 'Your order is on its way', from: sender });
	const output = await editor.executeUntil('Accepted');
	await pictureNode(stage, 'sms-send');
	await editor.fill({ to: '0979' });
	const error = await editor.executeUntilError();
	await pictureNode(stage, 'sms-send-error');
	return { output, error };
}

/** Switches options on that something is to be known about. @returns what the parameters say then */
export async function readNotices(stage: Stage): Promise<string> {
	const { editor } = stage;
	await editor.openNewWorkflow('Read the notices');
	await editor.addNode('SMS Send');
	await editor.fill({ to: phone, message: 'Your table is free', from: sender });
	for (const label of ['Scheduled At', 'Encrypt', 'Test']) await editor.addOption(label);
	await editor.chooseDate('scheduledAt', '2030-12-24 09:00:00');
	await editor.parameters.getByText('may never reach the phone').scrollIntoViewIfNeeded();
	await stage.picture('sms-send-options', editor.parameters);
	return await editor.parameters.innerText();
}

/** Wide enough for a workflow of one line, and no higher. */
const sizeOfCanvas = { width: 1280, height: 520 };
const sizeOfPage = { width: 1280, height: 800 };
/** Controls on the canvas, not parts of the workflow. */
const canvasTools = `
	[data-test-id='canvas-wrapper'] button:not([data-test-id='canvas-handle-plus']),
	.tab-bar-container { display: none !important; }
`;
/** Never called: the picture shows the branch of a delivered message. */
const mailServer = { host: '127.0.0.1', port: 25, secure: false, disableStartTls: true };

/** Opens an example on a canvas of its own, without its notes. */
async function openExample({ api, page }: Stage, name: string): Promise<void> {
	const example = readExample(name);
	const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const { id } = await api.createWorkflow({ ...example, nodes });
	await page.setViewportSize(sizeOfCanvas);
	await page.goto(`/workflow/${id}`);
	await page.getByTestId('canvas-node').last().waitFor();
}

/** Takes a picture of the whole canvas, without its controls, and gives the page its usual size again. */
async function pictureCanvas({ page, picture }: Stage, name: string): Promise<void> {
	const tools = await page.addStyleTag({ content: canvasTools });
	await page.keyboard.press('1');
	await picture(name, page.getByTestId('canvas-wrapper'));
	await tools.evaluate((style) => style.remove());
	await page.setViewportSize(sizeOfPage);
}

/** Executes an example on its canvas, without its notes. @returns what the editor says at the end */
export async function runExample(stage: Stage): Promise<string> {
	const { api, page } = stage;
	await api.createCredential({ name: 'SMTP account', type: 'smtp', data: mailServer });
	await openExample(stage, 'email-when-not-delivered');
	await page.getByTestId('execute-workflow-button').click();
	const end = page.getByText('Workflow executed successfully');
	await end.waitFor();
	const words = await end.innerText();
	// The counts beside the five lines that items went along come last.
	await page.getByText('1 item', { exact: true }).nth(4).waitFor();
	await pictureCanvas(stage, 'workflow');
	return words;
}

/** Shows an example on its canvas, without its notes. */
async function showExample(stage: Stage, example: string, picture: string): Promise<void> {
	await openExample(stage, example);
	await pictureCanvas(stage, picture);
}

/** A node of its own in a new workflow, filled in and executed. @returns the text of its output */
async function runNode(
	stage: Stage,
	name: string,
	values: Record<string, string>,
	expected: string,
): Promise<string> {
	const { editor } = stage;
	await editor.openNewWorkflow(name);
	await editor.addNode(name);
	await editor.fill(values);
	return await editor.executeUntil(expected);
}

/** The same with a picture. */
const showNode =
	(name: string, picture: string, values: Record<string, string>, expected: string) =>
	async (stage: Stage): Promise<string> => {
		const output = await runNode(stage, name, values, expected);
		await pictureNode(stage, picture);
		return output;
	};

const toTwo = { to: `${phone}, 09791234568`, message: 'We open on Sunday', from: sender };
const toOne = { to: phone, message: 'Your table is free', from: sender, timeLimit: '5' };
const forCode = { to: phone, brand: 'MyShop', from: sender };
const waiting = 'SMS Send and Wait for Delivery';
export const sendInBulk = showNode('SMS Bulk Send', 'sms-bulk-send', toTwo, '959791234568');
export const sendAndWait = showNode(waiting, 'sms-send-and-wait', toOne, 'outcome');
export const listHistory = showNode('SMS History', 'sms-history', { limit: '20' }, 'messageId');
export const readBalance = showNode('SMS Balance', 'sms-balance', {}, 'MMK');
export const requestCode = showNode('OTP Request', 'otp-request', forCode, 'requestId');

/** The page that the last SMS links to, as soon as the execution waits for it. */
async function openQuestion({ page, sandbox }: Stage, from: number): Promise<void> {
	const open = async () => {
		const { message = '' } = sandbox.messages()[from] ?? {};
		const [link] = /https?:\S+$/.exec(message) ?? [];
		return link === undefined ? undefined : ((await page.goto(link))?.ok() ?? undefined);
	};
	const isOpen = async () => (await open()) === true || undefined;
	await until(isOpen, { what: 'the page of the question' });
}

/** Asks two questions, and approves each on its page. @returns what the page and the output of the node say */
export async function askPerson(stage: Stage): Promise<{ page: string; output: string }> {
	const { editor, page, sandbox, picture } = stage;
	const name = 'SMS Send and Wait for Response';
	await editor.openNewWorkflow(name);
	await editor.addNode(name);
	await editor.fill({ to: phone, message: 'Refund 45,000 MMK to order 1234?', from: sender });
	const approve = async (from: number, of: Page) => {
		await openQuestion({ ...stage, page: of }, from);
		await of.getByRole('button', { name: 'Approve' }).click();
		await of.getByText('was recorded').waitFor();
	};
	const first = sandbox.messages().length;
	await editor.execute();
	const visitor = await page.context().newPage();
	await approve(first, visitor);
	await visitor.close();
	await editor.output.getByText('respondedAt').first().waitFor();
	const output = await editor.output.innerText();
	await pictureNode(stage, 'sms-send-and-wait-for-response');

	await editor.execute();
	await openQuestion(stage, first + 1);
	await page.setViewportSize({ width: 390, height: 800 });
	await picture('question-page', page.locator('body'));
	const words = await page.locator('main').innerText();
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.getByRole('button', { name: 'Approve' }).click();
	await page.getByText('was recorded').waitFor();
	return { page: words, output };
}

/** Checks a right code and a wrong one. @returns the outputs, which have names */
export async function verifyCode(stage: Stage): Promise<{ verified: string; rejected: string }> {
	const { editor, sandbox } = stage;
	const [{ requestId, code }] = sandbox.codes().slice(-1);
	const wrong = code === '000000' ? '111111' : '000000';
	const rejectedValues = { requestId: String(requestId), code: wrong, expectedTo: phone };
	const branch = 'Rejected Branch (1 item)';
	await runNode(stage, 'OTP Verify', rejectedValues, branch);
	const rejected = await editor.openBranch(branch);
	await pictureNode(stage, 'otp-verify');
	await editor.fill({ code });
	await editor.executeUntil('Verified Branch (1 item)');
	const verified = await editor.openBranch('Verified Branch (1 item)');
	return { verified, rejected };
}

/** Opens OTP Verify behind an OTP Request that was never executed. @returns the text of its input */
export async function previewOutput(stage: Stage): Promise<string> {
	const { editor, page } = stage;
	await editor.openNewWorkflow('See what is to come');
	await editor.addNode('OTP Request');
	await editor.leaveNode();
	await page.getByTestId('canvas-handle-plus').first().click();
	await editor.addNode('OTP Verify');
	await editor.input.getByText('expireAt').first().waitFor();
	await stage.picture('output-preview', editor.input, editor.parameters);
	return await editor.input.innerText();
}

/** What a person reads in the trigger, and what comes in. */
interface ReceiptScene {
	/** Beside the parameters, before the node is executed. */
	panel: string;
	notice: string;
	output: string;
}

/** Adds the trigger, and has the service report to its test address. */
export async function receiveReceipt(stage: Stage): Promise<ReceiptScene> {
	const { editor, page } = stage;
	await editor.openNewWorkflow('React to receipts', true);
	await editor.addNode('SMS Delivery Receipt', 'On any status');
	const notice = await editor.parameters.innerText();
	await editor.panel.getByText('To try it out').waitFor();
	const panel = await editor.panel.innerText();
	const testUrl = await editor.openWebhookUrls();
	await editor.execute();
	await editor.panel.getByTestId('trigger-listening').waitFor();
	const receipt = {
		messageId: '5f0c2c4e-1d4b-4d0e-9a57-6c1b3a0d6c11',
		to: '959791234567',
		clientReference: 'order-1234',
		status: 'Delivered',
		updatedAt: '2026-11-20 14:30:05',
		finishedAt: '2026-11-20 14:30:05',
	};
	await page.request.post(testUrl, { form: receipt });
	await editor.output.getByText('receiptId').first().waitFor();
	await pictureNode(stage, 'receipt-trigger');
	return { panel, notice, output: await editor.output.innerText() };
}

/** Imports and publishes the example with the form. @returns the address for visitors */
async function publishForm({ api }: Stage): Promise<string> {
	const example = readExample('otp-on-a-form');
	const { id, nodes } = await api.createWorkflow(example);
	await api.activate(id);
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return `${api.url}/form/${form?.webhookId}`;
}

/** Visits the form, types a wrong code and then the right one. @returns what the pages say */
export async function visitForm(stage: Stage): Promise<{ rejected: string; verified: string }> {
	const { page, sandbox } = stage;
	const url = await publishForm(stage);
	const before = sandbox.codes().length;
	await until(async () => ((await page.goto(url))?.ok() ? true : undefined), {
		what: 'the form',
	});
	const form = page.locator('.card').first();
	await page.getByPlaceholder('e.g. 09791234567').fill(phone);
	await stage.picture('otp-form-number', form);
	await page.getByRole('button', { name: 'Send me a code' }).click();
	const field = page.getByPlaceholder('e.g. 123456');
	await field.fill('000000');
	await stage.picture('otp-form-code', form);
	const check = page.getByRole('button', { name: 'Check the code' });
	await check.click();
	await form.getByText('wrong').waitFor();
	const rejected = await form.innerText();
	await field.fill(sandbox.codes()[before].code);
	await check.click();
	await page.getByText('Thank you').waitFor();
	await stage.picture('otp-form-verified', form);
	return { rejected, verified: await form.innerText() };
}

/** A week of messages, a few of which did not arrive. */
function seedWeek(sandbox: Sandbox): void {
	const perDay = [42, 57, 38, 64, 71, 29, 46];
	const made = perDay.flatMap((count, day) =>
		Array.from({ length: count }, (_, n) => {
			const createdAtMs = Date.now() - (perDay.length - 1 - day) * 86_400_000 - n * 1000;
			const failed = n % 11 === 0 && { status: 'Undelivered', clientReference: `order-${day}${n}` };
			return { createdAtMs, ...(n % 17 === 5 && { status: 'Sent' }), ...failed };
		}),
	);
	sandbox.seedMessages(made.length, (index) => {
		const message = made[index];
		const at = new Date(message.createdAtMs + 6.5 * 3_600_000).toISOString();
		return { ...message, createdAt: at.slice(0, 19).replace('T', ' ') };
	});
}

/** Publishes the dashboard, and opens it with its login. @returns what it shows */
export async function viewDashboard(stage: Stage): Promise<string> {
	const { page, api, sandbox } = stage;
	seedWeek(sandbox);
	const [user, password] = ['team', 'only for the team'];
	await api.createCredential({
		name: 'Form login',
		type: 'httpBasicAuth',
		data: { user, password },
	});
	const { id } = await api.createWorkflow(readExample('delivery-dashboard'));
	await api.activate(id);
	const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	await page.setExtraHTTPHeaders({ authorization });
	const url = `${api.url}/webhook/delivery-dashboard`;
	await until(async () => ((await page.goto(url))?.ok() ? true : undefined), {
		what: 'the dashboard',
	});
	await page.setExtraHTTPHeaders({});
	return await page.locator('body').innerText();
}

/** Every scene, in an order in which each finds what it needs. */
export async function playAll(stage: Stage): Promise<void> {
	await makeCredential(stage);
	await sendMessage(stage);
	await readNotices(stage);
	await sendInBulk(stage);
	await sendAndWait(stage);
	await askPerson(stage);
	await runExample(stage);
	await listHistory(stage);
	await readBalance(stage);
	await requestCode(stage);
	await verifyCode(stage);
	await previewOutput(stage);
	await receiveReceipt(stage);
	await visitForm(stage);
	await showExample(stage, 'delivery-status-by-schedule', 'status-by-schedule');
}
