import { Agent } from 'node:http';
import { httpClient, type AxiosInstance, type AxiosResponse } from '../http';
import { parse } from 'flatted';
import type {
	IConnections,
	INode,
	INodeTypeDescription,
	IPinData,
	IRunData,
	IRunExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';
import { isN8n1 } from './paths';
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

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	retryOf: string | null;
	stoppedAt: string | null;
}

export interface Execution extends ExecutionSummary {
	runData: IRunData;
	/** What ended the execution, when something did. */
	error: IRunExecutionData['resultData']['error'];
	/** Everything that was saved, as text: to search it for what must not be there. */
	saved: string;
}

/** As n8n answers. */
interface ExecutionRow extends ExecutionSummary {
	data: string;
}

function readExecution(row: ExecutionRow): Execution {
	const { resultData } = parse(row.data) as IRunExecutionData;
	return { ...row, runData: resultData.runData, error: resultData.error, saved: row.data };
}

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

/** n8n's own words for a refused request. */
function ensureAccepted<T>(what: string, response: AxiosResponse<{ data: T }>): T {
	if (response.status < 300) return response.data.data;
	const words = JSON.stringify(response.data).slice(0, 500);
	throw new Error(`n8n answered ${response.status} to "${what}": ${words}`);
}

/** A client for the REST paths that n8n's own editor uses, logged in. */
export class N8nApi {
	constructor(
		readonly url: string,
		/** Logged in; answers of every status come back as data. */
		readonly http: AxiosInstance,
	) {}

	async createCredential(credential: CredentialData): Promise<CredentialReference> {
		const response = await this.http.post('/rest/credentials', credential);
		const { id, name } = ensureAccepted<CredentialReference>('create a credential', response);
		return { id, name };
	}

	async hasCredential(id: string): Promise<boolean> {
		return (await this.http.get(`/rest/credentials/${id}`)).status === 200;
	}

	/** @returns false when there is no such credential (any more) */
	async updateCredential(id: string, credential: CredentialData): Promise<boolean> {
		const response = await this.http.patch(`/rest/credentials/${id}`, credential);
		if (response.status === 404) return false;
		ensureAccepted('change a credential', response);
		return true;
	}

	async deleteCredential(id: string): Promise<void> {
		ensureAccepted('delete a credential', await this.http.delete(`/rest/credentials/${id}`));
	}

	/** What the editor does when the user saves a credential. n8n only tests one that is saved. */
	async testCredential(
		credential: CredentialData,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { id } = await this.createCredential(credential);
		const credentials = { id, ...credential };
		const response = await this.http.post('/rest/credentials/test', { credentials });
		await this.deleteCredential(id);
		return ensureAccepted('test a credential', response);
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

	/** n8n registers the production webhooks a moment later: they answer 404 until then. */
	async activate(id: string): Promise<void> {
		const refusal = await this.tryToActivate(id);
		if (refusal) throw new Error(`n8n does not activate workflow ${id}: ${refusal}`);
	}

	/** @returns why n8n does not; empty when it does, or tries to */
	async tryToActivate(id: string): Promise<string> {
		const { versionId } = await this.getWorkflow(id);
		const path = `/rest/workflows/${id}/activate`;
		const { status, data } = await this.http.post<{ message?: string }>(path, { versionId });
		return status < 300 ? '' : (data.message ?? `HTTP ${status}`);
	}

	async deactivate(id: string): Promise<void> {
		const response = await this.http.post(`/rest/workflows/${id}/deactivate`);
		ensureAccepted('deactivate a workflow', response);
	}

	async deleteWorkflow(id: string): Promise<void> {
		ensureAccepted('archive a workflow', await this.http.post(`/rest/workflows/${id}/archive`));
		// Unpublishing goes on behind the answer; until it is over, n8n answers 409.
		const response = await until(
			async () => {
				const answer = await this.http.delete(`/rest/workflows/${id}`);
				return answer.status === 409 ? undefined : answer;
			},
			{ what: 'the workflow to be unpublished', timeoutMs: 60_000 },
		);
		ensureAccepted('delete a workflow', response);
	}

	/**
	 * "Execute workflow" in the editor. A trigger that waits for a call needs pinned data in the
	 * workflow, else n8n waits for that call.
	 * @returns the id of the execution
	 */
	async runManually(workflowId: string, triggerName: string): Promise<string> {
		const { executionId } = await this.startManually(workflowId, triggerName);
		if (executionId) return executionId;
		throw new Error('n8n waits for a call of the test URL: pin data on the trigger.');
	}

	/** "Execute workflow" of a trigger with a test URL, which is open for two minutes. */
	async listenForTest(workflowId: string, triggerName: string): Promise<void> {
		const { executionId } = await this.startManually(workflowId, triggerName);
		if (executionId) throw new Error(`${triggerName} has no test URL.`);
	}

	private async startManually(workflowId: string, triggerName: string) {
		const response = await this.http.post(`/rest/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: triggerName },
			// n8n 1 executes what the editor sends, n8n 2 what is saved.
			...(isN8n1() && { workflowData: await this.getWorkflow(workflowId) }),
		});
		return ensureAccepted<{ executionId?: string }>('run a workflow', response);
	}

	/** The retry of a failed execution in the editor. @returns the id of the new execution */
	async retry(executionId: string, options: { loadWorkflow: boolean }): Promise<string> {
		const response = await this.http.post(`/rest/executions/${executionId}/retry`, options);
		const { id } = ensureAccepted<{ id: string }>('retry an execution', response);
		return String(id);
	}

	/** Newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const params = { filter: JSON.stringify({ workflowId }), limit: 100 };
		const response = await this.http.get('/rest/executions', { params });
		return ensureAccepted<{ results: ExecutionSummary[] }>('list executions', response).results;
	}

	async execution(id: string): Promise<Execution> {
		const response = await this.http.get(`/rest/executions/${id}`);
		return readExecution(ensureAccepted<ExecutionRow>('read it', response));
	}

	/** Waits until an execution is over, or has one of the given states (such as `waiting`). */
	async finishedExecution(
		id: string,
		orStatus: string[] = [],
		timeoutMs = 120_000,
	): Promise<Execution> {
		let seen = 'no execution';
		const row = await until(
			async () => {
				const response = await this.http.get(`/rest/executions/${id}`);
				seen = `HTTP ${response.status}`;
				// Under a heavy load n8n answers 503 for a while.
				if (response.status === 404 || response.status >= 500) return undefined;
				const found = ensureAccepted<ExecutionRow>('read it', response);
				const { status } = found;
				seen = `status ${status}`;
				return !unfinished.has(status) || orStatus.includes(status) ? found : undefined;
			},
			{ what: `execution ${id} to finish`, timeoutMs, seen: () => seen },
		);
		return readExecution(row);
	}

	/** Waits until a workflow has this many finished executions. @returns them, oldest first */
	async finishedExecutions(workflowId: string, count: number): Promise<Execution[]> {
		let seen = '';
		const found = await until(
			async () => {
				const all = await this.executions(workflowId);
				seen = all.map(({ id, status }) => `${id} ${status}`).join(', ') || 'none';
				const finished = all.filter(({ status }) => !unfinished.has(status));
				return finished.length >= count ? finished.reverse() : undefined;
			},
			{
				what: `${count} executions of workflow ${workflowId}`,
				timeoutMs: 120_000,
				seen: () => seen,
			},
		);
		return await Promise.all(found.map(async ({ id }) => await this.execution(id)));
	}

	/** Every node type that this n8n has loaded. After its start n8n 1 answers with a page, until it has listed them. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await until(
			async () => {
				const { data } = await this.http.get<INodeTypeDescription[]>('/types/nodes.json');
				return Array.isArray(data) ? data : undefined;
			},
			{ what: 'n8n to list its node types', timeoutMs: 30_000, everyMs: 200 },
		);
	}

	/** The names of every credential type that this n8n has loaded. */
	async credentialTypeNames(): Promise<string[]> {
		const { data } = await this.http.get<Array<{ name: string }>>('/types/credentials.json');
		return data.map(({ name }) => name);
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
			{ what: 'n8n to have its database back', timeoutMs: 60_000, everyMs: 500 },
		);
	});
}

/**
 * Logs in, after having created the owner when n8n has none yet.
 * @throws {Error} when n8n has another owner
 */
export async function connectToN8n(url: string, owner: Owner): Promise<N8nApi> {
	// No kept connection: an n8n that was busy for seconds closes it while the next request is on its way.
	const httpAgent = new Agent({ keepAlive: false });
	const http = httpClient.create({ baseURL: url, httpAgent, validateStatus: () => true });
	askAgainWhenBusy(http);
	const settings = await until(
		async () => {
			const { data } = await http.get('/rest/settings');
			return (data as { data?: { userManagement?: { showSetupOnFirstLoad?: boolean } } }).data
				?.userManagement;
		},
		{ what: 'n8n to tell its settings', timeoutMs: 60_000 },
	);
	if (settings.showSetupOnFirstLoad) {
		const profile = { ...owner, firstName: 'Demo', lastName: 'Owner' };
		ensureAccepted('create the owner', await http.post('/rest/owner/setup', profile));
	}
	const login = { emailOrLdapLoginId: owner.email, password: owner.password };
	const response = await http.post('/rest/login', login);
	ensureAccepted('log in', response);
	const cookies = response.headers['set-cookie'] ?? [];
	http.defaults.headers.common.cookie = cookies.map((text) => text.split(';')[0]).join('; ');
	return new N8nApi(url, http);
}
