import type { Locator, Page } from 'playwright-core';

import type { Workflow } from '../../scripts/n8n/n8nClient';
import type { N8nApi } from '../harness/N8nApi';

export const manualTrigger = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

/** n8n's editor, as a person uses it. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly api: N8nApi,
	) {}

	/** Opens a new workflow; with a trigger, so that other nodes can follow, unless the trigger is to come. */
	async openNewWorkflow(name: string, isEmpty = false): Promise<Workflow> {
		const nodes = isEmpty ? [] : [manualTrigger];
		const workflow = await this.api.createWorkflow({ name, nodes, connections: {} });
		await this.page.goto(`/workflow/${workflow.id}`);
		const plus = isEmpty ? 'canvas-plus-button' : 'canvas-handle-plus';
		await this.page.getByTestId(plus).first().click();
		return workflow;
	}

	/** Types words into the nodes panel. @returns the names of the nodes that it finds, best first */
	async searchNodes(words: string): Promise<string[]> {
		const search = this.page.getByTestId('node-creator-search-bar');
		const names = this.page.getByTestId('node-creator-item-name');
		const ours = names.filter({ hasText: /SMS|OTP/ }).first();
		// The panel takes its time; without words it shows none of our nodes.
		await search.fill('');
		await ours.waitFor({ state: 'detached' });
		await search.fill(words);
		await ours.waitFor();
		return (await names.allTextContents()).map((name) => name.trim());
	}

	/** Adds a node that the panel finds, which opens it; a trigger by one of its events. */
	async addNode(name: string, event?: string): Promise<void> {
		await this.searchNodes(name);
		const found = this.page.getByTestId('node-creator-item-name');
		await found.getByText(name, { exact: true }).click();
		const add = this.page.getByRole('button', { name: 'Add to workflow' });
		await (event ? found.getByText(event, { exact: true }) : add).click();
		await this.panel.waitFor();
	}

	/** The open node: input, parameters and output. */
	get panel(): Locator {
		return this.page.getByTestId('ndv');
	}

	/** Closes the open node. */
	async leaveNode(): Promise<void> {
		// Some fields keep the key for themselves.
		await this.page.evaluate('document.activeElement?.blur()');
		await this.page.keyboard.press('Escape');
		await this.panel.waitFor({ state: 'hidden' });
	}

	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** What people look at in the open node: the tabs over the parameters, these, and the output. */
	get work(): Locator[] {
		return [this.panel.getByTestId('tab-params'), this.parameters, this.output];
	}

	/** Changes how the output is shown, where there is some. */
	async showOutputAs(view: 'schema' | 'table'): Promise<void> {
		const button = this.output.getByTestId(`radio-button-${view}`);
		if (await button.isVisible()) await button.click();
	}

	get dialog(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	/** The field of a parameter, by its own name. */
	field(name: string, within: Locator = this.panel): Locator {
		return within.getByTestId(`parameter-input-${name}`).locator('input, textarea').first();
	}

	/** Fills the parameters of the open node. */
	async fill(values: Record<string, string>, within: Locator = this.panel): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			await this.field(name, within).fill(value);
		}
	}

	/** Adds an option by its label. */
	async addOption(label: string): Promise<void> {
		await this.panel.getByTestId('collection-parameter-add').first().click();
		await this.page
			.getByTestId('collection-parameter-option')
			.getByText(label, { exact: true })
			.click();
	}

	async execute(): Promise<void> {
		await this.panel.getByTestId('node-execute-button').click();
	}

	/** Executes the open node until its output holds a text. @returns the text of the whole output */
	async executeUntil(text: string | RegExp): Promise<string> {
		await this.execute();
		await this.output.getByText(text).first().waitFor({ timeout: 60_000 });
		return await this.output.innerText();
	}

	/** Executes the open node, which is to fail. @returns what the editor says about it */
	async executeUntilError(): Promise<string> {
		await this.execute();
		const message = this.output.getByTestId('node-error-message');
		await message.waitFor({ timeout: 60_000 });
		return await this.output.innerText();
	}

	/** Opens one of several outputs by the label of its tab. @returns the text of the output */
	async openBranch(label: string): Promise<string> {
		await this.output.getByText(label).click();
		await this.output.getByTestId('ndv-data-container').waitFor();
		return await this.output.innerText();
	}

	/** Opens the addresses of the open trigger. @returns the one for tests */
	async openWebhookUrls(): Promise<string> {
		await this.parameters.getByText('Webhook URLs', { exact: true }).click();
		const url = await this.parameters.locator('.webhook-url').first().innerText();
		await this.parameters.getByTestId('radio-button-production').click();
		return url.trim();
	}

	/** Types a date into a field with a calendar. */
	async chooseDate(name: string, date: string): Promise<void> {
		await this.field(name).fill(date);
		await this.field(name).press('Enter');
	}

	get parameters(): Locator {
		return this.panel.getByTestId('node-parameters');
	}

	/** Saves the open credential, which tests it; the dialog closes when the test was passed. */
	async saveCredential(): Promise<void> {
		await this.dialog.getByTestId('credential-save-button').click();
	}

	/** @returns what the editor says about the test of the open credential, with its details */
	async readCredentialTest(): Promise<string> {
		const failed = this.dialog.getByText('Couldn’t connect with these settings');
		const passed = this.dialog.getByText('Connection tested successfully');
		await failed.or(passed).filter({ visible: true }).waitFor();
		const details = this.dialog.getByText('More details');
		if (await failed.isVisible()) await details.click();
		return await this.dialog.innerText();
	}

	async closeCredential(): Promise<void> {
		await this.dialog.getByRole('button', { name: 'Close' }).click();
		await this.dialog.waitFor({ state: 'hidden' });
	}
}
