import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { describeNodes, listParameters, type Schema } from '../../scripts/aiBuilders/describeNodes';
import { exampleParameters } from '../../scripts/aiBuilders/examples';
import { projectFolder } from '../../scripts/n8n/paths';
import { loadNode, nodeFolders, nodesFolder } from '../support/unit/loadNode';

/** What an AI builder reads of a node, from the code of the installed n8n: its search and its definitions. */
const host = join(projectFolder, 'n8n-host/node_modules');
const isInstalled = existsSync(join(host, 'n8n'));
const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

const ours = nodeFolders.map((folder) => {
	const { description } = loadNode(folder);
	const codex = JSON.parse(read(`nodes/${folder}/${folder}.node.json`)) as {
		node: string;
		alias: string[];
	};
	const version = Number(description.version);
	const schema = join(nodesFolder, folder, '__schema__', `v${version}.0.0`);
	const file = existsSync(schema) ? join(schema, 'sendAndWait.json') : `${schema}.json`;
	const output = JSON.parse(readFileSync(file, 'utf8')) as Schema;
	return { ...description, name: codex.node, codex, version, output };
});

/** On the page of the node only. */
const notNeeded = /\.(timeout|parallelRequests|surface|recipientsPerRequest|pauseBetweenRequests)$/;

const pathsOfProperties = (properties: INodeProperties[]) =>
	listParameters(properties).map(([path]) => path);

/** The paths of the parameters that a node is given. */
const pathsOf = (parameters: object) =>
	Object.entries(parameters).flatMap(([name, value]) =>
		['filters', 'options'].includes(name)
			? Object.keys(value as object).map((key) => `${name}.${key}`)
			: name,
	);

function readTypes(name: string): INodeTypeDescription[] {
	const file = join(host, name, 'dist/types/nodes.json');
	const types = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
	return types.map((type) => ({ ...type, name: `${name}.${type.name}` }));
}

interface Told {
	type: string;
	typeVersion: number;
	example: object;
	parameters: Record<string, string | { absent: unknown }>;
	output: Record<string, string>;
}

/** The page for AI builders: a line for each node, and workflows to copy. */
function readPage() {
	const page = read('docs/ai-builders.md');
	const [, lines = ''] = /```jsonl\n([\s\S]*?)\n```/.exec(page) ?? [];
	const workflows = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)];
	return {
		lines,
		nodes: lines.split('\n').map((line) => JSON.parse(line) as Told),
		workflows: workflows.map(([, json]) => JSON.parse(json) as Snippet),
	};
}

interface Snippet {
	name: string;
	nodes: Array<{ name: string; type: string; typeVersion: number; parameters: object }>;
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
	// Jest runs this body in a clone without n8n, too, where it skips the tests.
	const packages = isInstalled ? ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'] : [];
	const types = [...packages.flatMap(readTypes), ...ours];

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

	const synthesize = (type: object) =>
		jest
			.requireActual<{
				synthesizeNodeTypeDef: (type: object) => string;
			}>(join(host, 'n8n/dist/modules/mcp-registry/synthesize-type-def.js'))
			.synthesizeNodeTypeDef(type);

	test.each(ours)('reads the hint of $displayName in its definition', (description) => {
		const hint = description.builderHint?.searchHint ?? '';
		expect(hint).not.toBe('');
		// n8n's rules for hints.
		expect(hint).not.toMatch(/=\{\{|ai_tool/);
		expect(synthesize(description)).toContain(hint);
	});

	test.each(ours)('reads in the definition of $displayName what an absent option means', (type) => {
		const lines = synthesize(type).split('\n');
		const switchesOn = lines.flatMap((line, n) => (/@default true/.test(line) ? [n] : []));
		// Simplify is not in a collection: n8n fills in its default.
		const inCollections = switchesOn.filter((n) => lines[n].startsWith('     *'));
		for (const n of inCollections) expect(lines[n - 1]).toContain('@builderHint Absent: off.');
		for (const [n, line] of lines.entries())
			if (/Enter 0 or remove this option/.test(line))
				expect(lines[n + 1]).toContain('@builderHint Absent: no limit.');
	});
});

describe('the words for AI builders', () => {
	test.each(ours)('name only paths that $displayName has', ({ builderHint, properties, name }) => {
		const others = name.endsWith('Trigger') ? ours.flatMap((type) => type.properties) : properties;
		const paths = /\b(?:filters|options)\.\w+/g;
		const named = builderHint?.searchHint?.match(paths) ?? [];
		expect(pathsOfProperties(others)).toEqual(expect.arrayContaining(named));
	});

	const page = readPage();

	test('are those of the nodes: npm run docs:builders writes them', () => {
		const nodes = ours.map(({ version, output, ...description }) => ({
			...{ description: { ...description, version }, version, output },
			example: exampleParameters[description.name.split('.')[1]],
		}));
		expect(page.lines).toBe(describeNodes(nodes));
	});

	test.each(page.nodes)('have every parameter of $type, with its values and default', (line) => {
		const type = ours.find(({ name }) => name === line.type)!;
		expect(line.typeVersion).toBe(type.version);
		const properties = Object.fromEntries(listParameters(type.properties));
		const untold = Object.keys(properties).filter((path) => !(path in line.parameters));
		expect(untold.filter((path) => !notNeeded.test(path))).toEqual([]);
		for (const [path, words] of Object.entries(line.parameters)) {
			const { options = [], default: value, description = '', type: kind } = properties[path];
			if (typeof words === 'object') expect(words.absent).toEqual(value);
			else {
				expect(words).toContain(description);
				const isList = kind === 'options' || kind === 'multiOptions';
				for (const one of isList ? options : [])
					if ('value' in one) expect(words).toContain(String(one.value));
			}
		}
		expect(Object.keys(properties)).toEqual(expect.arrayContaining(pathsOf(line.example)));
		const isGiven = ({ required = false, displayOptions, name }: INodeProperties) =>
			!required || displayOptions !== undefined || pathsOf(line.example).includes(name);
		expect(type.properties.filter((property) => !isGiven(property))).toEqual([]);
	});

	const examples = readdirSync(join(projectFolder, 'examples'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => JSON.parse(read(`examples/${file}`)) as Snippet);

	test.each([...page.workflows, ...examples])(
		'the workflow "$name" has only what nodes have: n8n drops any other parameter',
		({ nodes }) => {
			for (const { type, typeVersion, parameters } of nodes.filter(({ type }) =>
				ofMessaging.test(type),
			)) {
				const own = ours.find(({ name }) => name === type.replace(/Tool$/, ''))!;
				// Of a tool, too.
				const names = own.properties.map(({ name }) => name);
				const has = [...pathsOfProperties(own.properties), ...names];
				expect(has).toEqual(expect.arrayContaining(pathsOf(parameters)));
				expect(typeVersion).toBe(own.version);
			}
		},
	);
});

test('OTP Verify says in its description and in its hint which output lets a person in', () => {
	const verify = ours.find(({ displayName }) => displayName === 'OTP Verify');
	for (const words of [verify?.description, verify?.builderHint?.searchHint])
		expect(words).toMatch(
			/output 0 is Rejected, output 1 is Verified.*continue.*only from output 1/i,
		);
});
