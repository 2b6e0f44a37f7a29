import { callWebhook } from '../../../tools/harness';
import type { ExampleRunner } from './ExampleRunner';

type Request = { method: string; body?: string; headers?: Record<string, string> };
type Response = { status: number; data: unknown; headers: object };
type Call = (path: string, request: Request) => Promise<Response>;

/** A visitor of the sign-in page (example 30), who submits its forms as a browser does. */
export class PageVisitor {
	html = '';
	private cookie = '';

	private constructor(private readonly call: Call) {}

	/**
	 * @param path of the first page
	 * @param call calls a webhook by its path
	 */
	static async open(path: string, call: Call): Promise<PageVisitor> {
		const visitor = new PageVisitor(call);
		await visitor.load(path, { method: 'GET' });
		return visitor;
	}

	static async openFor(runner: ExampleRunner): Promise<PageVisitor> {
		const call: Call = async (path, request) => await callWebhook(runner.n8n.api, path, request);
		return await PageVisitor.open(runner.addressOf('sign-in-page'), call);
	}

	/** Sends the hidden fields, too, of the form whose button somebody presses. */
	async submit(step: string, typed: Record<string, string> = {}): Promise<string> {
		const forms = this.html.match(/<form[^]*?<\/form>/g) ?? [];
		const form = forms.find((one) => one.includes(`name="step" value="${step}"`));
		if (!form) throw new Error(`The page has no form for ${step}: ${this.html}`);
		const [, path = ''] = /action="([\w-]+)"/.exec(form) ?? [];
		const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
		const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
		const body = new URLSearchParams({ ...fields, ...typed }).toString();
		const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
		return await this.load(path, { method: 'POST', body, headers });
	}

	private async load(path: string, { headers: own, ...request }: Request): Promise<string> {
		const sent = { ...own, ...(this.cookie && { Cookie: this.cookie }) };
		const { status, data, headers } = await this.call(path, { ...request, headers: sent });
		const [set] = (headers as { 'set-cookie'?: string[] })['set-cookie'] ?? [];
		if (set) [this.cookie] = set.split(';');
		if (status !== 200) throw new Error(`${path} responds ${status}: ${String(data)}`);
		this.html = String(data);
		return this.html;
	}
}
