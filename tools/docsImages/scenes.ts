import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox';
import type { N8nApi, WorkflowDefinition } from '../../scripts/n8n/n8nApi';
import { projectFolder } from '../../scripts/n8n/paths';
import { until } from '../../scripts/n8n/until';
import { Editor } from './Editor';

/** What people do with the nodes in n8n's editor. Each scene tells what was to be seen. */
export interface Stage {
	context: BrowserContext;
	page: Page;
	editor: Editor;
	api: N8nApi;
	sandbox: Sandbox;
	/** Keeps what can be seen at this moment under a name, where pictures are wanted. */
	picture(name: string, of: Locator): Promise<void>;
}

const phone = '09791234567';
const sender = 'MyShop';

/** Types what people would look for into the nodes panel. @returns what it finds, by the words */
export async function findNodes(stage: Stage, words: string[]): Promise<Record<string, string[]>> {
	const { editor, page } = stage;
	await editor.openNewWorkflow('Find nodes');
	const found: Record<string, string[]> = {};
	for (const word of words) found[word] = await editor.searchNodes(word);
	await editor.searchNodes('text message');
	await stage.picture('find-nodes', page.getByTestId('node-creator'));
	return found;
}

/** Makes the credential with a wrong secret and then with the right one. @returns what its tests say */
export async function makeCredential(stage: Stage): Promise<{ refused: string; accepted: string }> {
	const { editor, sandbox } = stage;
	await editor.openNewWorkflow('Make the credential');
	await editor.addNode('SMS Send');
	await editor.panel.getByText('Connect to Messaging Service').click();
	const { baseUrl, apiKey, apiSecret } = sandbox;
	await editor.fill({ baseUrl, apiKey, apiSecret: 'not-the-secret' }, editor.dialog);
	await editor.saveCredential();
	const refused = await editor.readCredentialTest();
	await stage.picture('credential-refused', editor.dialog);

	await editor.fill({ apiSecret }, editor.dialog);
	await editor.saveCredential();
	await editor.dialog.waitFor({ state: 'hidden' });
	await editor.panel.getByTestId('credential-edit-button').click();
	const accepted = await editor.readCredentialTest();
	await stage.picture('credential', editor.dialog);
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
	await stage.picture('sms-send', editor.panel);
	await editor.fill({ to: '0979' });
	const error = await editor.executeUntilError();
	await stage.picture('sms-send-error', editor.panel);
	return { output, error };
}

/** Switches options on that something is to be known about. @returns what the parameters say then */
export async function readNotices(stage: Stage): Promise<string> {
	const { editor } = stage;
	await editor.openNewWorkflow('Read the notices');
	await editor.addNode('SMS Send');
	await editor.fill({ to: phone, message: 'Your table is free', from: sender });
	for (const label of ['Scheduled At', 'Encrypt', 'Test']) await editor.addOption(label);
	await editor.switchOn('encrypt');
	await editor.switchOn('test');
	await editor.parameters.getByText('Test is on').waitFor();
	await stage.picture('sms-send-options', editor.panel);
	return await editor.parameters.innerText();
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

export async function sendInBulk(stage: Stage): Promise<string> {
	const values = { to: `${phone}, 09791234568`, message: 'We open on Sunday', from: sender };
	const output = await runNode(stage, 'SMS Bulk Send', values, '959791234568');
	await stage.picture('sms-bulk-send', stage.editor.panel);
	return output;
}

export async function sendAndWait(stage: Stage): Promise<string> {
	const name = 'SMS Send and Wait for Delivery';
	const values = { to: phone, message: 'Your table is free', from: sender, timeLimit: '5' };
	const output = await runNode(stage, name, values, 'outcome');
	await stage.picture('sms-send-and-wait', stage.editor.panel);
	return output;
}

export async function listHistory(stage: Stage): Promise<string> {
	const output = await runNode(stage, 'SMS History', { limit: '20' }, 'messageId');
	await stage.picture('sms-history', stage.editor.panel);
	return output;
}

export async function readBalance(stage: Stage): Promise<string> {
	const output = await runNode(stage, 'SMS Balance', {}, 'MMK');
	await stage.picture('sms-balance', stage.editor.panel);
	return output;
}

export async function requestCode(stage: Stage): Promise<string> {
	const values = { to: phone, brand: 'MyShop', from: sender };
	const output = await runNode(stage, 'OTP Request', values, 'requestId');
	await stage.picture('otp-request', stage.editor.panel);
	return output;
}

/** Checks a right code and a wrong one. @returns the outputs, which have names */
export async function verifyCode(stage: Stage): Promise<{ verified: string; rejected: string }> {
	const { editor, sandbox } = stage;
	const [{ requestId, code }] = sandbox.codes().slice(-1);
	const rejectedValues = { requestId: String(requestId), code: 'wrong' };
	const rejected = await runNode(stage, 'OTP Verify', rejectedValues, 'wrongOrExpired');
	await stage.picture('otp-verify-rejected', editor.panel);
	await editor.fill({ code });
	const verified = await editor.executeUntil('verifiedAt');
	await stage.picture('otp-verify', editor.panel);
	return { verified, rejected };
}

/** Adds the trigger, and has the service report to its test address. @returns address and output */
export async function receiveReceipt(stage: Stage): Promise<{ notice: string; output: string }> {
	const { editor, page } = stage;
	await editor.openNewWorkflow('React to receipts', true);
	await editor.addNode('SMS Delivery Receipt');
	const notice = await editor.parameters.innerText();
	await stage.picture('receipt-trigger', editor.panel);
	await editor.execute();
	await page.getByTestId('trigger-listening').waitFor();
	return { notice, output: '' };
}

function readExample(name: string): WorkflowDefinition {
	return JSON.parse(readFileSync(join(projectFolder, 'examples', `${name}.json`), 'utf8'));
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
		timeoutMs: 20_000,
	});
	const body = page.locator('body');
	await page.getByPlaceholder('e.g. 09791234567').fill(phone);
	await stage.picture('otp-form-number', body);
	await page.getByRole('button', { name: 'Send me a code' }).click();
	const field = page.getByPlaceholder('e.g. 123456');
	await field.fill('000000');
	await stage.picture('otp-form-code', body);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('not right').waitFor();
	const rejected = await body.innerText();
	await field.fill(sandbox.codes()[before].code);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Thank you').waitFor();
	await stage.picture('otp-form-verified', body);
	return { rejected, verified: await body.innerText() };
}
