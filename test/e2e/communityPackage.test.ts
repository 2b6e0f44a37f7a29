import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import {
	callWebhook,
	connectToSharedN8n,
	describeRun,
	runWorkflow,
	startN8n,
	type NodeUnderTest,
	type OwnN8n,
	type WorkflowRun,
} from '../../tools/harness';
import { startPackageRegistry, type PackageRegistry } from '../support/e2e/packageRegistry';
import { press } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { publishTrigger, type PublishedTrigger } from '../support/e2e/publishTrigger';
import { findStartPath, runAgain } from '../support/e2e/runAgain';
import { createCredentials, type Credentials } from '../support/e2e/useService';

const name = 'n8n-nodes-messaging-service';
/** Commit e1ffad8 of 2026-11-23, packed with this version: the names and stored data that workflows may hold. */
const olderVersion = '0.0.10';
const olderTarball = join(__dirname, '../fixtures', `${name}-${olderVersion}.tgz`);
const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
	version: string;
	n8n: { nodes: string[] };
};

const recipient = '={{ $json.to }}';
const sms = { to: recipient, message: 'Hello', from: 'MyShop' };
/** Parameters as the older version has them, and as workflows keep them. */
const saved = {
	smsSend: {
		...sms,
		options: {
			...{ clientReference: '={{ $json.to }}', unicode: false, test: true, timeout: 5000 },
			...{ surface: 'rest', scheduledAtTimeZone: 'Asia/Yangon', allowedCountryCodes: '95' },
			...{ maxParts: 2, maxMessages: 10, skipDuplicates: true, allowEmptyFields: true },
			...{ doNotSendTo: '09790000009', whenOutcomeUnknown: 'report' },
		},
	},
	smsSendAndWait: { ...sms, waitFor: 'anyFinal', timeLimit: 5 },
	smsSendAndWaitForResponse: { ...sms, responseType: 'approval' },
};
type SavedType = keyof typeof saved;
const items = [{ to: '09791234567' }];
/** As the registry has it, and as `npm view` prints it. */
const integrityOf = (tarball: string) =>
	`sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;

/** On Windows, n8n starts npm in a way that a test cannot stand in for. */
const describeWhereNpmIsOnPath = process.platform === 'win32' ? describe.skip : describe;
if (process.platform === 'win32') {
	process.stdout.write('Skipped: n8n on Windows cannot be given a registry by a test\n');
}

describeWhereNpmIsOnPath('the package, as Settings > Community nodes installs it', () => {
	let n8n: OwnN8n;
	let sandbox: Sandbox;
	let registry: PackageRegistry;
	let credentials: Credentials;
	let trigger: PublishedTrigger;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0 });
		registry = await startPackageRegistry();
		await registry.publish(olderTarball);
		n8n = await startN8n({ tarball: '', env: registry.env, withEditor: true });
	});
	afterAll(async () => {
		await n8n?.close();
		await Promise.all([registry?.close(), sandbox?.close()]);
	});

	const packages = '/rest/community-packages';
	const listInstalled = async () => {
		const { data } = await n8n.api.http.get<{ data: IDataObject[] }>(packages);
		return data.data;
	};
	const nodeTypes = async () =>
		(await n8n.api.nodeTypes()).map((node) => node.name).filter((type) => type.startsWith(name));
	const folder = () => join(n8n.userFolder, '.n8n/nodes/node_modules', name);
	const versionInFolder = () =>
		(JSON.parse(readFileSync(join(folder(), 'package.json'), 'utf8')) as { version: string })
			.version;

	/** What a run did, as far as it has to be the same in every version and run. */
	const describeOutcome = ({ status, error, json }: WorkflowRun) => ({
		status,
		error: error?.message,
		fields: json.smsSend
			.flat()
			.map((item) =>
				['messageId', 'to', 'status', 'clientReference'].filter((field) => field in item),
			),
	});
	let outcome: ReturnType<typeof describeOutcome>;
	const ofTrigger = sinceN8n2('way to publish the trigger of the older version');
	const secret = 'a-secret-of-sixteen';
	let workflowId: string;
	/** Executions that the update comes between. */
	const begun: Record<string, WorkflowRun> = {};

	const start = async (type: SavedType, to: string[], more: IDataObject = {}) => {
		const parameters = { ...saved[type], ...more };
		const node = { name: type, type, parameters, credentials, webhookId: type };
		return await runWorkflow(
			n8n.api,
			[node as unknown as NodeUnderTest],
			to.map((one) => ({ to: one })),
			{ orStatus: ['waiting'] },
		);
	};

	test('is installed in an older version, with all of its nodes', async () => {
		const version = olderVersion;
		const response = await n8n.api.http.post(packages, { name, version });
		expect(response.data.data).toMatchObject({ packageName: name, installedVersion: version });
		// SMS List is newer.
		const older = manifest.n8n.nodes.filter((file) => !file.includes('SmsList'));
		expect(response.data.data.installedNodes).toHaveLength(older.length);
		expect(registry.fetched).toEqual([`${name}-${olderVersion}.tgz`]);
		expect(versionInFolder()).toBe(olderVersion);
	});

	test('works in that version, in a workflow that stays', async () => {
		credentials = await createCredentials(n8n.api, sandbox);
		const run = await start('smsSend', [items[0].to]);
		workflowId = run.workflowId;
		outcome = describeOutcome(run);
		expect(outcome.error).toBeUndefined();
	});

	ofTrigger.test('receives receipts in that version', async () => {
		trigger = await publishTrigger({ api: n8n.api, parameters: { options: { secret } } });
	});

	test('has executions in that version that wait, and one that failed halfway', async () => {
		begun.delivery = await start('smsSendAndWait', ['09000000008']);
		begun.question = await start('smsSendAndWaitForResponse', ['09000000008']);
		expect([begun.delivery.status, begun.question.status]).toEqual(['waiting', 'waiting']);
		begun.failed = await start('smsSend', ['09791234501', '09000000018'], { options: {} });
		expect(begun.failed.status).toBe('error');
	});

	test('is updated, and says so', async () => {
		const { tarball } = await connectToSharedN8n();
		const version = await registry.publish(tarball);
		const response = await n8n.api.http.patch(packages, { name, version });
		expect(response.data.data).toMatchObject({ installedVersion: manifest.version });
		const installed = await listInstalled();
		expect(installed).toMatchObject([{ packageName: name, installedVersion: manifest.version }]);
		expect(installed[0].failedLoading).not.toBe(true);
		expect(versionInFolder()).toBe(manifest.version);
	});

	test('still runs what was saved', async () => {
		expect(describeOutcome(await runAgain(n8n.api, workflowId, items))).toEqual(outcome);
	});

	test('goes on with what waited during the update', async () => {
		const [delivery, question] = sandbox.messages({ to: '09000000008' });
		await sandbox.setStatus(delivery.messageId, 'Delivered');
		await press(String(/https?:\/\/\S+$/.exec(question.message)?.[0]), { response: 'approve' });
		for (const { workflowId, executionId } of [begun.delivery, begun.question]) {
			const run = describeRun(workflowId, await n8n.api.finishedExecution(executionId));
			expect(run.status).toBe('success');
		}
		expect(sandbox.messages({ to: '09000000008' })).toHaveLength(2);
	});

	test('retries what failed before the update, and sends nothing twice', async () => {
		const { executionId, workflowId } = begun.failed;
		const retried = await n8n.api.retry(executionId, { loadWorkflow: false });
		const run = describeRun(workflowId, await n8n.api.finishedExecution(retried));
		expect(run.status).toBe('error');
		expect(sandbox.messages({ to: '09791234501' })).toHaveLength(1);
	});

	ofTrigger.test('still accepts receipts at the address that the service knows', async () => {
		const params = { messageId: 'm-1', status: 'Delivered', to: '959791234567' };
		await until(
			async () =>
				(await trigger.call({ params: { ...params, secret } })).status === 200 ? true : undefined,
			{ what: 'the trigger' },
		);
		expect((await trigger.items(1))[0]).toMatchObject([{ messageId: 'm-1', delivered: true }]);
	});

	test('is removed without a trace, and callers of its workflows are told that they cannot run', async () => {
		const response = await n8n.api.http.delete(packages, { params: { name } });
		expect(response.status).toBe(200);
		expect(await listInstalled()).toEqual([]);
		expect(await nodeTypes()).toEqual([]);
		expect(existsSync(folder())).toBe(false);
		const { nodes } = await n8n.api.getWorkflow(workflowId);
		expect(nodes.map(({ type }) => type)).toContain(`${name}.smsSend`);
		sandbox.reset();
		const path = await findStartPath(n8n.api, workflowId);
		const { status, data } = await callWebhook(n8n.api, path, { body: { items } });
		expect(status).toBeGreaterThanOrEqual(400);
		expect(data).toMatchObject({ message: expect.any(String) });
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('works again with its workflows and its credential after it is reinstalled', async () => {
		const { version } = manifest;
		expect((await n8n.api.http.post(packages, { name, version })).status).toBe(200);
		sandbox.reset();
		expect(describeOutcome(await runAgain(n8n.api, workflowId, items))).toEqual(outcome);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});
});

/** n8n 2.21 and later. */
sinceN8n2('installs packages by environment variables').describe(
	'the package, as environment variables install it',
	() => {
		let registry: PackageRegistry;
		beforeAll(async () => (registry = await startPackageRegistry()));
		afterAll(async () => await registry?.close());

		test('with a checksum', async () => {
			const { tarball } = await connectToSharedN8n();
			const version = await registry.publish(tarball);
			const checksum = integrityOf(tarball);
			const n8n = await startN8n({
				tarball: '',
				withEditor: true,
				env: {
					...registry.env,
					N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
					N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name, version, checksum }]),
				},
			});
			try {
				const types = (await n8n.api.nodeTypes()).filter((one) => one.name.startsWith(`${name}.`));
				expect(types.length).toBeGreaterThanOrEqual(manifest.n8n.nodes.length);
				expect(n8n.log()).toContain('Installed community package');
			} finally {
				await n8n.close();
			}
		});
	},
);
