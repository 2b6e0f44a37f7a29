import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { httpClient, type AxiosRequestConfig } from '../../scripts/http';
import { parse } from 'yaml';

import { projectFolder } from '../../scripts/n8n/paths';
import { owner, startN8n, type OwnN8n } from '../../tools/harness';
import { callAll } from '../support/e2e/callAll';
import { ExampleRunner, withOwnTables } from '../support/e2e/ExampleRunner';
import { hasNginx, startProxy } from '../support/unit/nginx';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { PageVisitor } from '../support/e2e/visitPage';
import { never } from '../support/e2e/Week';

const read = (path: string) => readFileSync(join(projectFolder, 'docs/scaling', path), 'utf8');

/** The settings of the compose file that make the owner, with the values of a file `.env`. */
function readOwnerSettings(): Record<string, string> {
	const { services } = parse(read('compose.yaml'), { merge: true }) as {
		services: { main: { environment: Record<string, string> } };
	};
	// `htpasswd` of owner.password, which costs less than one of real use.
	const hash = execFileSync(
		process.execPath,
		['-e', `console.log(require('bcryptjs').hashSync(${JSON.stringify(owner.password)}, 4))`],
		{ cwd: join(projectFolder, 'n8n-host'), encoding: 'utf8' },
	).trim();
	const values: Record<string, string> = {
		'${N8N_OWNER_EMAIL:?}': owner.email,
		'${N8N_OWNER_PASSWORD_HASH:?}': hash,
	};
	return Object.fromEntries(
		Object.entries(services.main.environment)
			.filter(([name]) => name.startsWith('N8N_INSTANCE_OWNER_'))
			.map(([name, value]) => [name, values[value] ?? value]),
	);
}

sinceN8n2('an owner made by its environment').describe(
	'what docs/scaling puts in front of n8n',
	() => {
		let n8n: OwnN8n;
		let runner: ExampleRunner;
		beforeAll(async () => {
			n8n = await startN8n({
				env: { ...readOwnerSettings(), N8N_PROXY_HOPS: '1' },
				withEditor: true,
			});
			runner = await ExampleRunner.open({}, n8n);
		});
		beforeEach(async () => await runner.reset());
		afterAll(async () => {
			await runner?.close();
			await n8n?.close();
		});

		test('the owner is there from the first start, and nobody else can become it', async () => {
			const anyStatus = { validateStatus: () => true };
			const stranger = {
				email: 'a@example.com',
				password: 'Stranger-1',
				firstName: 'A',
				lastName: 'B',
			};
			const setup = await httpClient.post(`${n8n.url}/rest/owner/setup`, stranger, anyStatus);
			expect(setup.status).toBeGreaterThanOrEqual(400);
			const { data } = await httpClient.get(`${n8n.url}/rest/settings`);
			expect(data.data.userManagement.showSetupOnFirstLoad).toBe(false);
			const { data: who } = await n8n.api.http.get('/rest/login');
			expect(who.data).toMatchObject({
				email: owner.email,
				firstName: 'n8n',
				role: 'global:owner',
			});
		});

		(hasNginx ? describe : describe.skip)('with nginx', () => {
			let proxy: Awaited<ReturnType<typeof startProxy>>;
			beforeAll(async () => {
				proxy = await startProxy(n8n.url, (path) => runner.addressOf(path));
			});
			afterAll(async () => await proxy?.close());

			const call = async (path: string, request: AxiosRequestConfig = {}) =>
				await httpClient.request<string>({
					...{ url: `${proxy.url}${path}`, method: 'POST', maxBodyLength: Infinity },
					...{ validateStatus: () => true, ...request },
				});
			const from = (address: string) => ({ 'X-Forwarded-For': address });

			test('verifies 20 visitors of the sign-in page behind one address, who come at once', async () => {
				await runner.activate(withOwnTables('sign-in-page'), { 'Every minute': never });
				await PageVisitor.openFor(runner);
				const open = async () =>
					await PageVisitor.open(
						runner.addressOf('sign-in-page'),
						async (path, { body, ...request }) =>
							call(`/webhook/${path}`, {
								...{ ...request, data: body },
								headers: { ...request.headers, ...from('203.0.113.9') },
							}),
					);
				await open();
				const begun = Date.now();
				const pages = await callAll(20, 20, async (n) => {
					const page = await open();
					await page.submit('number', { phone: `097912345${10 + n}` });
					const { code = '' } =
						runner.sandbox.codes().find(({ to }) => to.endsWith(`12345${10 + n}`)) ?? {};
					await page.submit('code', { code: '000' });
					return await page.submit('code', { code });
				});
				console.info(`20 visitors behind one address: ${Date.now() - begun} ms`);
				expect(pages.filter((html) => html.includes('is verified'))).toHaveLength(20);
			});
		});
	},
);
