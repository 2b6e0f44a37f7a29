import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { connectToSharedN8n, type N8n } from '../../tools/harness';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[] };
};
const type = 'messagingServiceApi';

/** dist/nodes/SmsSend/SmsSend.node.js -> n8n-nodes-messaging-service.smsSend */
function toTypeName(path: string): string {
	const className = path.split('/').at(-1)?.replace('.node.js', '') ?? '';
	return `${manifest.name}.${className.charAt(0).toLowerCase()}${className.slice(1)}`;
}

describe('the packed package in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await connectToSharedN8n();
	});
	afterAll(async () => await sandbox?.close());

	test('brings every node that its package.json names', async () => {
		const loaded = (await n8n.api.nodeTypes()).map(({ name }) => name);
		expect(loaded).toEqual(expect.arrayContaining(manifest.n8n.nodes.map(toTypeName)));
	});

	test('is loaded with N8N_UNVERIFIED_PACKAGES_ENABLED set to true, as n8n 3 demands', async () => {
		const { data } = await n8n.api.http.get<{ data: object }>('/rest/settings');
		expect(data.data).toMatchObject({ unverifiedCommunityNodesEnabled: true });
		// n8n 2.41 warns wherever the variable is not set.
		expect(n8n.log()).not.toContain('N8N_UNVERIFIED_PACKAGES_ENABLED');
	});

	test('brings its credential type', async () => {
		expect(await n8n.api.credentialTypeNames()).toContain(type);
	});

	test('accepts a right key when the credential is tested', async () => {
		const result = await n8n.api.testCredential({
			name: 'Right',
			type,
			data: credentialsOf(sandbox),
		});
		expect(result).toMatchObject({ status: 'OK' });
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(1);
	});

	test('says that the key is wrong when the credential is tested', async () => {
		const data = credentialsOf(sandbox, { apiSecret: 'wrong' });
		const result = await n8n.api.testCredential({ name: 'Wrong', type, data });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/key|credential/i);
		expect(result.message).not.toContain('wrong"');
	});
});
