import 'reflect-metadata';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import manifest from '../../package.json';

const nodesFolder = resolve(__dirname, '../../nodes');

const folders = readdirSync(nodesFolder).filter((name) => name !== 'shared');

/** Two instances, as when n8n loads a node twice. */
function load(folder: string): [INodeType, INodeType] {
	const loaded = jest.requireActual<Record<string, new () => INodeType>>(
		`../../nodes/${folder}/${folder}.node`,
	);
	return [new loaded[folder](), new loaded[folder]()];
}

interface Interface {
	name: string;
	displayName: string;
	parameters: string[];
	outputs: number;
}

/**
 * Workflows of users hold these names, and those inside of the collections, which the README lists for AI builders:
 * what is here may be added to, and never changed or taken away.
 */
const permanent: Record<string, Interface> = {
	SmsSend: {
		name: 'smsSend',
		displayName: 'SMS Send',
		parameters: ['to', 'message', 'from', 'dryRun', 'simplify', 'options'],
		outputs: 1,
	},
	SmsBulkSend: {
		name: 'smsBulkSend',
		displayName: 'SMS Bulk Send',
		parameters: ['to', 'message', 'from', 'dryRun', 'simplify', 'options'],
		outputs: 1,
	},
	SmsHistory: {
		name: 'smsHistory',
		displayName: 'SMS History',
		parameters: ['returnAll', 'limit', 'simplify', 'filters', 'options'],
		outputs: 1,
	},
	SmsBalance: {
		name: 'smsBalance',
		displayName: 'SMS Balance',
		parameters: ['options'],
		outputs: 1,
	},
	OtpRequest: {
		name: 'otpRequest',
		displayName: 'OTP Request',
		parameters: ['to', 'brand', 'from', 'options'],
		outputs: 1,
	},
	OtpVerify: {
		name: 'otpVerify',
		displayName: 'OTP Verify',
		parameters: ['requestId', 'code', 'expectedTo'],
		outputs: 2,
	},
	SmsSendAndWait: {
		name: 'smsSendAndWait',
		displayName: 'SMS Send and Wait for Delivery',
		parameters: ['to', 'message', 'from', 'waitFor', 'timeLimit', 'simplify', 'options'],
		outputs: 1,
	},
	SmsSendAndWaitForResponse: {
		name: 'smsSendAndWaitForResponse',
		displayName: 'SMS Send and Wait for Response',
		parameters: [
			...['to', 'message', 'from', 'responseType', 'approvalOptions', 'choices', 'options'],
		],
		outputs: 1,
	},
	SmsReceiptTrigger: {
		name: 'smsReceiptTrigger',
		displayName: 'SMS Delivery Receipt Trigger',
		parameters: ['statuses', 'options'],
		outputs: 1,
	},
};

/** n8n gives this field to every tool of an AI agent, under this name; ours only sets its default. */
const isOfTools = ({ name, displayOptions }: INodeProperties) =>
	name === 'toolDescription' && displayOptions?.show?.['@tool']?.[0] === true;

const namesOf = (properties: INodeProperties[]) =>
	properties
		.filter((property) => !['notice', 'hidden'].includes(property.type) && !isOfTools(property))
		.map(({ name }) => name);

test('every node has its place in the permanent interface', () => {
	expect(folders.sort()).toEqual(Object.keys(permanent).sort());
});

describe.each(Object.entries(permanent))('the public interface of %s', (folder, expected) => {
	const [node, again] = load(folder);
	const { description } = node;
	const ofNode = join(nodesFolder, folder);

	test('has the permanent names', () => {
		const { name, displayName, properties, outputs } = description;
		expect({ name, displayName, parameters: namesOf(properties), outputs: outputs.length }).toEqual(
			{
				name: expected.name,
				displayName: expected.displayName,
				parameters: expected.parameters,
				outputs: expected.outputs,
			},
		);
	});

	test('has the credential and its test, unless it is a trigger', () => {
		if (folder.endsWith('Trigger')) return expect(description.credentials).toBeUndefined();
		expect(description.credentials).toMatchObject([
			{ name: 'messagingServiceApi', testedBy: 'messagingServiceApiTest' },
		]);
		expect(node.methods?.credentialTest?.messagingServiceApiTest).toBeInstanceOf(Function);
	});

	test('has both icons', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		for (const icon of [light, dark])
			expect(existsSync(join(ofNode, icon.replace('file:', '')))).toBe(true);
		expect(light).not.toBe(dark);
	});

	test('has a codex with its own type and words to find it by', () => {
		const codex = JSON.parse(readFileSync(join(ofNode, `${folder}.node.json`), 'utf8')) as {
			node: string;
			alias: string[];
			categories: string[];
		};
		expect(codex.node).toBe(`n8n-nodes-messaging-service.${expected.name}`);
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(codex.alias.length).toBeGreaterThan(2);
	});

	test('is registered in the package', () => {
		expect(manifest.n8n.nodes).toContain(`dist/nodes/${folder}/${folder}.node.js`);
	});

	test('is a tool for AI agents, unless it is a trigger', () => {
		const isTrigger = description.group.includes('trigger');
		expect(Boolean(description.usableAsTool)).toBe(!isTrigger);
	});

	test('has a list of properties of its own, since n8n adds to it', () => {
		expect(again.description.properties).not.toBe(description.properties);
		const others = folders.filter((other) => other !== folder).map((other) => load(other)[0]);
		for (const other of others)
			expect(other.description.properties).not.toBe(description.properties);
	});
});

test('every node has a glyph of its own, in the light and in the dark', () => {
	const icons = folders.flatMap((folder) => {
		const { light, dark } = load(folder)[0].description.icon as { light: string; dark: string };
		const read = (icon: string) =>
			readFileSync(join(nodesFolder, folder, icon.replace('file:', '')), 'utf8');
		return [read(light), read(dark)];
	});
	expect(new Set(icons).size).toBe(2 * folders.length);
	for (const icon of icons) expect(icon).toMatch(/^<svg [^>]*viewBox="0 0 60 60">/);
});

test('the two outputs of OTP Verify are Rejected, for items that n8n generates, and Verified', () => {
	expect(load('OtpVerify')[0].description.outputNames).toEqual(['Rejected', 'Verified']);
});

test('only the node that n8n lets wait has a hidden field', () => {
	const isHidden = ({ type }: INodeProperties) => type === 'hidden';
	const hidden = folders.map((folder) => {
		const { properties } = load(folder)[0].description;
		const inside = properties.flatMap(({ type, options }) =>
			type === 'collection' ? (options as INodeProperties[]) : [],
		);
		return [folder, [...properties, ...inside].filter(isHidden).length];
	});
	expect(Object.fromEntries(hidden.filter(([, count]) => count !== 0))).toEqual({
		SmsSendAndWaitForResponse: 1,
	});
});

test('nothing else is registered in the package', () => {
	expect(manifest.n8n.nodes).toHaveLength(folders.length);
	expect(manifest.n8n.credentials).toEqual(['dist/credentials/MessagingServiceApi.credentials.js']);
});
