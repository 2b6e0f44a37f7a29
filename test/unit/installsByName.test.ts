import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Whoever registers a free name on npm would run code where such a command runs. */
const byName =
	/\b(?:(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|exec|x)|npx|bunx|pnpm dlx)\b(?! --no -- )[^\n`|;&]*?[\s"'](?:n8n-nodes-messaging-service|messaging-service-sandbox)(?![\w.-]*\.tgz|\/)/;

test.each([
	['npx --yes messaging-service-sandbox --port 4010', true],
	['npm install --ignore-scripts n8n-nodes-messaging-service@0.1.0', true],
	['npm install --prefix ~/.n8n/nodes ./n8n-nodes-messaging-service-0.1.0.tgz', false],
	['npm uninstall --prefix ~/.n8n/nodes n8n-nodes-messaging-service', false],
	['npx --no -- messaging-service-sandbox --port 4010', false],
])('%s installs by name: %s', (command, isFound) => {
	expect(byName.test(command)).toBe(isFound);
});

test('no command installs by name while the package is not on npm', () => {
	if (!read('README.md').includes("isn't on npm yet")) return;
	const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
		.trim()
		.split('\n');
	const commands = files
		// The release runs once the names are ours. Tests run without a registry.
		.filter((file) => /\.(md|ya?ml|ts|mjs|json|sh)$/.test(file))
		.filter(
			(file) => !/^(\.github\/workflows\/publish\.yml|test\/|.*package-lock\.json$)/.test(file),
		)
		.flatMap((file) =>
			read(file)
				.replace(/\\\n\s*/g, '')
				.split('\n')
				.filter((line) => byName.test(line))
				.map((line) => `${file}: ${line.trim()}`),
		);
	expect(commands).toEqual([]);
});
