import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';

interface Service {
	image: string;
	command?: string;
	build?: { dockerfile_inline: string };
	environment?: Record<string, unknown>;
	depends_on?: Record<string, { condition: string }>;
	deploy?: { replicas: number };
	healthcheck?: { test: string };
}

interface Compose {
	services: Record<string, Service>;
	configs: { certificate: { content: string }; limits: { file: string } };
	volumes: object;
	networks: { default: { enable_ipv6: boolean } };
}

const projectFolder = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
const file = read('docs/scaling/compose.yaml');
const page = read('docs/scaling.md');
const nginx = read('docs/scaling/nginx.conf');
const { services, configs, networks } = parse(file, { merge: true }) as Compose;
const { main, worker, webhook } = services;

/** The tests of queue mode run n8n with the settings of this file. */
describe('the compose file for queue mode', () => {
	test('starts the programs of n8n, and what they need', () => {
		const kinds = [main, worker, webhook].map(({ command }) => command?.split(' ')[0]);
		expect(kinds).toEqual(['start', 'worker', 'webhook']);
		expect(worker.deploy).toEqual({ replicas: 2 });
		expect(Object.keys(services).sort()).toEqual(
			['limits', 'main', 'postgres', 'proxy', 'redis', 'webhook', 'worker'].sort(),
		);
	});

	test('has the same package and settings for every program of n8n', () => {
		for (const program of [worker, webhook]) {
			const { image, build, environment } = program;
			const own = program === webhook ? { N8N_PAYLOAD_SIZE_MAX: 1 } : {};
			expect({ image, build, environment }).toEqual({
				image: main.image,
				build: main.build,
				environment: { ...main.environment, ...own },
			});
		}
		expect(main.environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: '${N8N_ENCRYPTION_KEY:?}',
			N8N_WEBHOOK_URL: 'https://${N8N_DOMAIN:?}/',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		});
	});

	/** Earlier ones accept a resume token in place of a signature (GHSA-728h-pmr2-7cgh); they are still tested. */
	test('installs this version of the package in a version of n8n without known holes', () => {
		const [, n8n, patch] = /:(2\.4[12]\.(\d+))$/.exec(main.image) ?? [];
		expect(Number(patch)).toBeGreaterThanOrEqual(n8n.startsWith('2.41.') ? 4 : 1);
		expect(main.build?.dockerfile_inline).toContain(`FROM n8nio/n8n:${n8n}\n`);
		expect(main.build?.dockerfile_inline).toContain(` ${manifest.name}@${manifest.version}\n`);
	});

	test('starts nothing before what it depends on is healthy', () => {
		for (const { depends_on: needs = {} } of [main, worker, webhook]) {
			for (const [name, { condition }] of Object.entries(needs)) {
				expect(condition).toBe('service_healthy');
				expect(services[name].healthcheck?.test).toBeTruthy();
			}
		}
		const names = ({ depends_on: needs = {} }: Service) => Object.keys(needs).sort();
		expect(names(worker)).toEqual(['main', 'postgres', 'redis']);
		expect(names(webhook)).toEqual(['main', 'postgres', 'redis']);
	});

	test('routes production calls to the webhook processors, and the rest to the main process', () => {
		expect(configs.certificate.content).toContain('reverse_proxy limits:80');
		expect(configs.limits.file).toBe('./nginx.conf');
		const targets = [...nginx.matchAll(/location (.+) \{[^}]*proxy_pass (\S+);/g)];
		expect(targets.map(([, location, target]) => [location, target])).toEqual([
			['~* ^/webhook/[0-9a-f-]+/webhook$', '$webhook'],
			['~* ^/webhook-waiting/', '$webhook'],
			['~* ^/webhook/', '$webhook'],
			['~* ^/webhook-test/', '$main'],
			['~* ^/form(-waiting)?/', '$webhook'],
			['/', '$main'],
		]);
		for (const name of ['main', 'webhook']) {
			expect(nginx).toContain(`set $${name} http://${name}:5678;`);
			expect(Object.keys(services)).toContain(name);
		}
	});

	test('shows visitors with IPv6 under their own addresses', () => {
		expect(networks.default.enable_ipv6).toBe(true);
	});

	test('has an owner from the first start on', () => {
		const { N8N_INSTANCE_OWNER_MANAGED_BY_ENV: isManaged } = main.environment ?? {};
		expect(isManaged).toBe('true');
	});

	test('asks for nothing but what its page names', () => {
		const names = [...file.matchAll(/(?<!\$)\$\{(\w+):\?\}/g)].map(([, name]) => name);
		expect([...new Set(names)].sort()).toEqual([
			'N8N_DOMAIN',
			'N8N_ENCRYPTION_KEY',
			'N8N_OWNER_EMAIL',
			'N8N_OWNER_PASSWORD_HASH',
			'POSTGRES_PASSWORD',
		]);
		for (const name of names) expect(page).toContain(`${name}=`);
	});
});

describe('the sizes on its page', () => {
	const sums = [...page.matchAll(/([\d.]+) x ([\d.]+) \/ 0\.6 = ([\d.]+)/g)];

	test('are there for a million messages a day', () => {
		expect(sums.length).toBeGreaterThanOrEqual(4);
	});

	test.each(sums.map(([sum, rate, seconds, result]) => ({ sum, rate, seconds, result })))(
		'$sum is calculated right',
		({ rate, seconds, result }) => {
			const decimals = result.split('.')[1]?.length ?? 0;
			const exact = (Number(rate) * Number(seconds)) / 0.6;
			expect(Math.abs(exact - Number(result))).toBeLessThanOrEqual(0.5 * 10 ** -decimals);
		},
	);
});
