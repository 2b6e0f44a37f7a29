import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { projectFolder } from '../../scripts/n8n/paths';

/** What an AI builder reads of a node, from the code of the installed n8n: its search and its definitions. */
const host = join(projectFolder, 'n8n-host/node_modules');
const isInstalled = existsSync(join(host, 'n8n'));
const nodesFolder = resolve(__dirname, '../../nodes');

const ours = readdirSync(nodesFolder)
	.filter((folder) => folder !== 'shared')
	.map((folder) => {
		const loaded = jest.requireActual<Record<string, new () => INodeType>>(
			`../../nodes/${folder}/${folder}.node`,
		);
		const codex = JSON.parse(
			readFileSync(join(nodesFolder, folder, `${folder}.node.json`), 'utf8'),
		) as { node: string; alias: string[] };
		return { ...new loaded[folder]().description, name: codex.node, codex };
	});

function readTypes(name: string): INodeTypeDescription[] {
	const file = join(host, name, 'dist/types/nodes.json');
	const types = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
	return types.map((type) => ({ ...type, name: `${name}.${type.name}` }));
}

/** The rank of the first of our nodes: at most three, or what is above it. */
const wanted: Record<string, number> = {
	...{ sms: 1, 'bulk sms': 1, 'sms campaign': 3, otp: 1, 'one-time password': 2 },
	...{ 'verification code': 3, 'verify phone number': 1, '2fa': 2, 'phone verification': 1 },
	...{ 'delivery report': 1, 'delivery receipt': 1, 'dlr webhook': 3, 'sms status': 1 },
	...{ 'sms history': 1, 'sms balance': 1, 'ask a person by text': 1, 'wait for answer': 2 },
	...{ 'wait for sms delivery': 2, 'burmese sms': 1 },
	// n8n scores the name of a node by half as much again as a search word, and each of these has a word in its name:
	// Sendy, SendGrid, Send Email; MessageBird, Message an Agent, Chat Messages Retriever; Code, Code Tool.
	...{ 'send sms': 4, 'text message': 4, 'send text message': 4, 'login code': 4 },
	// n8n's own nodes that ask people have the same words, and come first among equals.
	...{ 'approval by sms': 10, 'human in the loop sms': Infinity },
};

(isInstalled ? describe : describe.skip)('an AI builder', () => {
	test.each(Object.entries(wanted))('finds one of our nodes by "%s"', (words, rank) => {
		const { NodeSearchEngine } = jest.requireActual<{
			NodeSearchEngine: new (types: object[]) => {
				searchByName(words: string, limit: number): Array<{ name: string }>;
			};
		}>(join(host, '@n8n/ai-utilities/dist/cjs/node-catalog/search-engine.js'));
		const others = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap(readTypes);
		const found = new NodeSearchEngine([...others, ...ours]).searchByName(words, 20);
		const first = found.findIndex(({ name }) => name.startsWith('n8n-nodes-messaging-service.'));
		expect(first < 0 ? Infinity : first + 1).toBeLessThanOrEqual(rank);
	});

	test.each(ours)('reads the hint of $displayName in its definition', (description) => {
		const { synthesizeNodeTypeDef } = jest.requireActual<{
			synthesizeNodeTypeDef: (type: object) => string;
		}>(join(host, 'n8n/dist/modules/mcp-registry/synthesize-type-def.js'));
		const hint = description.builderHint?.searchHint ?? '';
		expect(hint).not.toBe('');
		// n8n's rules for hints.
		expect(hint).not.toMatch(/=\{\{|ai_tool/);
		expect(synthesizeNodeTypeDef(description)).toContain(hint);
	});
});

test('OTP Verify says in its description and in its hint which output lets a person in', () => {
	const verify = ours.find(({ displayName }) => displayName === 'OTP Verify');
	for (const words of [verify?.description, verify?.builderHint?.searchHint])
		expect(words).toMatch(
			/output 0 is Rejected, output 1 is Verified.*continue.*only from output 1/i,
		);
});
