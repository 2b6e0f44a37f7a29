import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';

interface Service {
	image: string;
	build?: { dockerfile_inline: string };
	environment?: Record<string, unknown>;
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: { test: string };
}

interface Compose {
	services: Record<string, Service>;
}

const projectFolder = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
const file = read('docs/scaling/compose.yaml');
const page = read('docs/scaling.md');
const { services } = parse(file, { merge: true }) as Compose;
const { main, worker, webhook } = services;

/** The tests of queue mode run n8n with the settings of this file. */
describe('the compose file for queue mode', () => {
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
			NODE_ENV: 'production',
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
		const tarball = `${manifest.name}-*.tgz`;
		expect(main.build?.dockerfile_inline).toContain(`COPY ${tarball} /tmp/\n`);
		expect(main.build?.dockerfile_inline).toContain(` /tmp/${tarball}\n`);
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

test.each(['docs/scaling.md', 'docs/receipts-without-public-address.md'])(
	'%s opens the port of n8n to the proxy only, and limits logins',
	(path) => {
		const commands = read(path).match(/^.*(?: n8n start|--publish ).*$/gm) ?? [];
		const text = commands.join('\n');
		expect(text).toMatch(/NODE_ENV=production N8N_LISTEN_ADDRESS=127\.0\.0\.1 .*n8n start/);
		expect(text).toContain('--publish 127.0.0.1:5678:5678');
	},
);
