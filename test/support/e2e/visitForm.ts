import { httpClient } from '../../../scripts/http';

import { until } from '../../../scripts/n8n/until';

/** What a visitor types, by the place of the field in the form: `field-0`. */
export type Answers = Record<string, string | File>;

const browser = httpClient.create({
	maxRedirects: 0,
	validateStatus: () => true,
	// A browser waits for minutes; n8n needs up to half of one while other tests keep the processors busy.
	timeout: 60_000,
});

/** What a browser asks for before it shows the form. */
export interface Login {
	username: string;
	password: string;
}

/** What the builder of a workflow may read, and a visitor may not. */
export const forBuilders =
	/item \d+ of|details|Parallel Requests|option|undefined|credential|HTTP \d|ECONN|null|\bNaN\b/i;

/** Somebody who fills in a form of n8n: does what the script in its pages does in a browser. */
export class FormVisitor {
	/** The page that the visitor sees, as HTML. */
	html = '';

	private constructor(
		private url: string,
		private readonly auth: Login | undefined,
	) {}

	/**
	 * Opens a form as soon as n8n has registered it.
	 *
	 * @param path `form-test`: of a workflow that the editor executes
	 */
	static async open(
		n8nUrl: string,
		webhookId: string,
		login?: Login,
		path = 'form',
	): Promise<FormVisitor> {
		const visitor = new FormVisitor(`${n8nUrl}/${path}/${webhookId}`, login);
		await until(
			async () => {
				const { status, data } = await visitor.get(visitor.url);
				visitor.html = data;
				return status === 200 || undefined;
			},
			{ what: `the form ${webhookId}` },
		);
		return visitor;
	}

	/** What the visitor reads on the page. */
	get text(): string {
		return this.html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
	}

	/** Sends the answers and waits for the next page. A closing page answers by itself. */
	async submit(answers: Answers): Promise<void> {
		// n8n never responds to what is submitted while the execution runs, as after the time limit of a page.
		if (this.url.includes('/form-waiting/')) await this.statusAfterRunning();
		await this.post(answers);
		const status = await this.statusAfterRunning();
		if (status.data !== 'form-waiting')
			throw new Error(`Instead of the next page, the form has ${JSON.stringify(status)}.`);
		this.html = (await this.get(this.url)).data;
		if (!this.html.includes('<form')) await this.post({});
	}

	/** As F5 does, once n8n has finished what it does. */
	async reload(): Promise<void> {
		await this.statusAfterRunning();
		this.html = (await this.get(this.url)).data;
	}

	private async get(url: string) {
		return await browser.get<string>(url, { auth: this.auth });
	}

	private async post(answers: Answers): Promise<void> {
		const form = new FormData();
		for (const [name, answer] of Object.entries(answers)) form.append(name, answer);
		const { data } = await until(
			async () => {
				const { url, auth } = this;
				const answer = await browser.post<{ formWaitingUrl?: string } | undefined>(url, form, {
					auth,
				});
				// n8n registers a form for GET before it does so for POST.
				return answer.status === 404 ? undefined : answer;
			},
			{ what: 'the form to be taken' },
		);
		this.url = data?.formWaitingUrl ?? this.url;
	}

	private async statusAfterRunning() {
		const address = new URL(this.url);
		address.pathname += '/n8n-execution-status';
		return await until(
			async () => {
				const { status: answered, data } = await this.get(address.href);
				// A busy n8n answers 500 or 503 now and then.
				const isUnderWay = answered >= 500 || data === 'running' || data === 'new';
				return isUnderWay ? undefined : { answered, data };
			},
			// For each question, n8n reads the whole execution.
			{ what: 'the next page of the form', everyMs: 200 },
		);
	}
}
