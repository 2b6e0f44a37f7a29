import { Agent } from 'node:http';
import { httpClient, type AxiosInstance, type AxiosResponse } from '../http';
import type {
	IConnections,
	INode,
	INodeTypeDescription,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';
import { until } from './until';

export interface Owner {
	email: string;
	/** n8n wants 8 to 64 characters, a digit and a capital letter among them. */
	password: string;
}

export interface CredentialData {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface CredentialReference {
	id: string;
	name: string;
}

export interface WorkflowDefinition {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
	active?: boolean;
	/** As in a file: by name. */
	tags?: Array<{ name: string }>;
}

export interface Workflow extends WorkflowDefinition {
	id: string;
	versionId: string;
	active: boolean;
}

/** n8n's own words for a rejected request. */
export function ensureAccepted<T>(what: string, response: AxiosResponse<{ data: T }>): T {
	if (response.status < 300) return response.data.data;
	const words = JSON.stringify(response.data).slice(0, 500);
	throw new Error(`n8n responded ${response.status} to "${what}": ${words}`);
}

/** Sets n8n up by the REST paths that its own editor uses, logged in. */
export class N8nClient {
	/** Logged in; answers of every status come back as data. */
	readonly http: AxiosInstance;

	/** @param cookie of `logInToN8n` */
	constructor(
		readonly url: string,
		readonly cookie: string,
	) {
		this.http = openN8n(url, { cookie });
	}

	async createCredential(credential: CredentialData): Promise<CredentialReference> {
		const response = await this.http.post('/rest/credentials', credential);
		const { id, name } = ensureAccepted<CredentialReference>('create a credential', response);
		return { id, name };
	}

	async hasCredential(id: string): Promise<boolean> {
		return (await this.http.get(`/rest/credentials/${id}`)).status === 200;
	}

	/** @returns false if the credential is gone */
	async updateCredential(id: string, credential: CredentialData): Promise<boolean> {
		const response = await this.http.patch(`/rest/credentials/${id}`, credential);
		if (response.status === 404) return false;
		ensureAccepted('change a credential', response);
		return true;
	}

	/** @returns the ids of the tags of these names, which are made where there are none */
	async ensureTags(names: string[]): Promise<string[]> {
		type Tag = { id: string; name: string };
		const known = ensureAccepted<Tag[]>('list the tags', await this.http.get('/rest/tags'));
		const ids = names.map(async (name) => {
			const tag = known.find((one) => one.name === name);
			if (tag) return tag.id;
			const response = await this.http.post('/rest/tags', { name });
			return ensureAccepted<Tag>('make a tag', response).id;
		});
		return await Promise.all(ids);
	}

	/** @param tagIds its tags; what the definition names is for n8n's own import */
	async createWorkflow(workflow: WorkflowDefinition, tagIds: string[] = []): Promise<Workflow> {
		const settings = { executionOrder: 'v1', ...workflow.settings };
		const body = { ...workflow, settings, active: false, tags: tagIds };
		return ensureAccepted('create a workflow', await this.http.post('/rest/workflows', body));
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return ensureAccepted('read a workflow', await this.http.get(`/rest/workflows/${id}`));
	}

	async listWorkflows(): Promise<Workflow[]> {
		return ensureAccepted('list the workflows', await this.http.get('/rest/workflows'));
	}

	/**
	 * n8n registers the production webhooks a moment later: they answer 404 until then.
	 * @param versionId of the workflow as it is, if known
	 */
	async activate(id: string, versionId?: string): Promise<void> {
		const path = `/rest/workflows/${id}/activate`;
		const body = { versionId: versionId ?? (await this.getWorkflow(id)).versionId };
		const { status, data } = await this.http.post<{ message?: string }>(path, body);
		if (status < 300) return;
		throw new Error(`n8n does not activate workflow ${id}: ${data.message ?? `HTTP ${status}`}`);
	}

	/** Every node type that this n8n has loaded. After its start n8n 1 answers with a page, until it has listed them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await until(
			async () => {
				const { data } = await this.http.get<INodeTypeDescription[]>('/types/nodes.json');
				return Array.isArray(data) ? data : undefined;
			},
			{ what: 'n8n to list its node types', everyMs: 200 },
		);
	}
}

/** Under a heavy load, n8n takes its database for lost, and turns every request away for a while. */
function askAgainWhenBusy(http: AxiosInstance): void {
	const isTurnedAway = ({ status, data }: AxiosResponse<{ message?: string }>) =>
		status === 503 && data.message === 'Database is not ready!';
	http.interceptors.response.use(async (first) => {
		if (!isTurnedAway(first)) return first;
		return await until(
			async () => {
				const again = await httpClient.request(first.config);
				return isTurnedAway(again) ? undefined : again;
			},
			{ what: 'n8n to have its database back', everyMs: 500 },
		);
	});
}

function openN8n(url: string, headers = {}): AxiosInstance {
	// No kept connection: an n8n that was busy for seconds closes it while the next request is on its way.
	const httpAgent = new Agent({ keepAlive: false });
	const http = httpClient.create({ baseURL: url, httpAgent, headers, validateStatus: () => true });
	askAgainWhenBusy(http);
	return http;
}

/**
 * Logs in, after having created the owner when n8n has none yet.
 * @returns the cookie of the login
 * @throws {Error} when n8n has another owner
 */
export async function logInToN8n(url: string, owner: Owner): Promise<string> {
	const http = openN8n(url);
	const login = { emailOrLdapLoginId: owner.email, password: owner.password };
	const profile = { ...owner, firstName: 'Demo', lastName: 'Owner' };
	const known = await http.post('/rest/login', login);
	// Creating the owner logs in as well; n8n refuses it where there is one.
	const created = known.status === 401 ? await http.post('/rest/owner/setup', profile) : known;
	const response = created.status === 400 ? known : created;
	ensureAccepted('log in', response);
	const cookies = response.headers['set-cookie'] ?? [];
	return cookies.map((text) => text.split(';')[0]).join('; ');
}
