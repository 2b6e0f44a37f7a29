import { parse } from 'flatted';
import type { IRunData, IRunExecutionData } from 'n8n-workflow';
import {
	ensureAccepted,
	logInToN8n,
	N8nClient,
	type CredentialData,
	type Owner,
} from '../../scripts/n8n/n8nClient';
import { isN8n1 } from '../../scripts/n8n/paths';
import { until } from '../../scripts/n8n/until';

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	retryOf: string | null;
	stoppedAt: string | null;
}

export interface Execution extends ExecutionSummary {
	/** When n8n ends its wait, in ISO 8601. */
	waitTill?: string | null;
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

/** Executes workflows, too, and clears up. */
export class N8nApi extends N8nClient {
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
			{ what: 'the workflow to be unpublished' },
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
	async finishedExecution(id: string, orStatus: string[] = []): Promise<Execution> {
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
			// Each question costs n8n 16 ms of a processor.
			{ what: `execution ${id} to finish`, seen: () => seen, everyMs: 100 },
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
				seen: () => seen,
				everyMs: 100,
			},
		);
		return await Promise.all(found.map(async ({ id }) => await this.execution(id)));
	}

	/** The names of every credential type that this n8n has loaded. */
	async credentialTypeNames(): Promise<string[]> {
		const { data } = await this.http.get<Array<{ name: string }>>('/types/credentials.json');
		return data.map(({ name }) => name);
	}
}

/** @throws {Error} when n8n has another owner */
export async function connectToN8n(url: string, owner: Owner): Promise<N8nApi> {
	return new N8nApi(url, await logInToN8n(url, owner));
}
