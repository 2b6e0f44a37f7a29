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

interface Found {
	name: string;
	displayName: string;
}

/** What stands above the first of ours. */
function listAbove(found: Found[]): string[] {
	const first = found.findIndex(({ name }) => ofMessaging.test(name));
	return found.slice(0, first < 0 ? found.length : first).map(({ displayName }) => displayName);
}

/** n8n's nodes that send a question and wait, by other channels. */
const ownAsking = [
	...['Discord', 'Send Email', 'Google Chat', 'Gmail', 'Microsoft Outlook', 'Microsoft Teams'],
	...['Slack', 'Telegram', 'WhatsApp Business Cloud'],
];

const ofMessaging = /^n8n-nodes-messaging-service\./;

/** What people and AI builders type, and n8n's nodes above the first of ours in the search of builders. */
const typed: Record<string, string[]> = {
	...{ sms: [], 'bulk sms': [], 'verify phone number': [], 'phone verification': [], otp: [] },
	...{ 'delivery report': [], 'delivery receipt': [], 'sms status': [], 'sms history': [] },
	...{ 'sms balance': [], 'ask a person by text': [], 'burmese sms': [] },
	...{ 'one-time password': ['TOTP'], '2fa': ['TOTP'] },
	...{ 'verification code': ['Code', 'LangChain Code'], 'wait for answer': ['Wait'] },
	...{ 'sms campaign': ['ActiveCampaign', 'ActiveCampaign Trigger'] },
	...{ 'dlr webhook': ['Webhook', 'Respond to Webhook'], 'wait for sms delivery': ['Wait'] },
	// It scores each word alone, and a name half as much again as a search word: no search word reaches these.
	// "Send SMS" as a name would win the next, and lose "sms", which people type first: SMS Send falls to the 8th place.
	'send sms': ['Sendy', 'SendGrid', 'Send Email'],
	// Text messages: n8n's own MessageBird.
	'text message': ['MessageBird', 'Message an Agent', 'Chat Messages Retriever'],
	'send text message': ['MessageBird', 'Message an Agent', 'Chat Messages Retriever'],
	'login code': ['Code', 'LangChain Code', 'Code Tool'],
	// n8n's own nodes that ask people have the same search words, and come first among equals.
	...{
		'approval by sms': ownAsking,
		'human in the loop sms': ['Humantic AI', ...ownAsking, 'Chat'],
	},
};

(isInstalled ? describe : describe.skip)('an AI builder', () => {
	const types = [...['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap(readTypes), ...ours];

	test.each(Object.entries(typed))('finds one of our nodes by "%s"', (words, above) => {
		const { NodeSearchEngine } = jest.requireActual<{
			NodeSearchEngine: new (types: object[]) => {
				searchByName(words: string, limit: number): Found[];
			};
		}>(join(host, '@n8n/ai-utilities/dist/cjs/node-catalog/search-engine.js'));
		const found = new NodeSearchEngine(types).searchByName(words, 20);
		expect(listAbove(found)).toEqual(above);
	});

	test.each(Object.keys(typed))(
		'and the editor scores one highest, popularity aside, by "%s"',
		(words) => {
			const { sublimeSearch } = jest.requireActual<{
				sublimeSearch: (words: string, nodes: object[]) => Array<{ item: { properties: Found } }>;
			}>(join(host, '@n8n/utils/dist/search/sublime-search.cjs'));
			const found = sublimeSearch(
				words,
				types.map((type) => ({ properties: type })),
			).map(({ item }) => item.properties);
			expect(listAbove(found)).toEqual(words === '2fa' ? ['TOTP'] : []);
		},
	);

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
