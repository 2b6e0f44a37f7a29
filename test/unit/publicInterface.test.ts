import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import manifest from '../../package.json';
import { loadNode, nodeFolders as folders, nodesFolder } from '../support/unit/loadNode';

/**
 * Workflows of users hold these names, and those inside of the collections, which the README lists for AI builders:
 * what is here may be added to, and never changed or taken away.
 */
const permanent: Record<string, [displayName: string, parameters: string, outputs?: number]> = {
	SmsSend: ['SMS Send', 'to message from dryRun output simplify options'],
	SmsBulkSend: ['SMS Bulk Send', 'to message from dryRun output simplify options'],
	SmsHistory: ['SMS History', 'returnAll limit simplify filters options'],
	SmsBalance: ['SMS Balance', 'options'],
	SmsList: ['SMS List', 'phoneColumn nameColumn dateColumns dateFormat'],
	OtpRequest: ['OTP Request', 'to brand from options'],
	OtpVerify: ['OTP Verify', 'requestId code expectedTo', 2],
	SmsSendAndWait: [
		'SMS Send and Wait for Delivery',
		'to message from waitFor timeLimit simplify options',
	],
	SmsSendAndWaitForResponse: [
		'SMS Send and Wait for Response',
		'to message from responseType approvalOptions choices options',
	],
	SmsReceiptTrigger: ['SMS Delivery Receipt Trigger', 'statuses options'],
};

/** n8n gives this field to every tool of an AI agent, under this name; ours only sets its default. */
const isOfTools = ({ name, displayOptions }: INodeProperties) =>
	name === 'toolDescription' && displayOptions?.show?.['@tool']?.[0] === true;

const namesOf = (properties: INodeProperties[]) =>
	properties
		.filter((property) => !['notice', 'hidden'].includes(property.type) && !isOfTools(property))
		.map(({ name }) => name);

test('every node has its place in the permanent interface', () => {
	expect(folders).toEqual(Object.keys(permanent).sort());
});

describe.each(Object.entries(permanent))('the public interface of %s', (folder, expected) => {
	const node = loadNode(folder);
	const { description } = node;
	const ofNode = join(nodesFolder, folder);
	const nodeName = folder.replace(/^./, (letter) => letter.toLowerCase());

	test('has the permanent names', () => {
		const { name, displayName, properties, outputs } = description;
		const [label, parameters, count = 1] = expected;
		expect([name, displayName, namesOf(properties).join(' '), outputs.length]).toEqual([
			...[nodeName, label, parameters, count],
		]);
	});

	test('has the credential and its test, unless it calls no service', () => {
		if (/Trigger$|List$/.test(folder)) return expect(description.credentials).toBeUndefined();
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
		expect(codex.node).toBe(`n8n-nodes-messaging-service.${nodeName}`);
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(codex.alias.length).toBeGreaterThan(2);
	});

	test('is a tool for AI agents, unless it is a trigger', () => {
		const isTrigger = description.group.includes('trigger');
		expect(Boolean(description.usableAsTool)).toBe(!isTrigger);
	});

	test('has a list of properties of its own, since n8n adds to it', () => {
		expect(loadNode(folder).description.properties).not.toBe(description.properties);
		const others = folders.filter((other) => other !== folder).map((other) => loadNode(other));
		for (const other of others)
			expect(other.description.properties).not.toBe(description.properties);
	});
});

test('every node has a glyph of its own, in the light and in the dark', () => {
	const icons = folders.flatMap((folder) => {
		const { light, dark } = loadNode(folder).description.icon as { light: string; dark: string };
		const read = (icon: string) =>
			readFileSync(join(nodesFolder, folder, icon.replace('file:', '')), 'utf8');
		return [read(light), read(dark)];
	});
	expect(new Set(icons).size).toBe(2 * folders.length);
	for (const icon of icons) expect(icon).toMatch(/^<svg [^>]*viewBox="0 0 60 60">/);
});

test('the two outputs of OTP Verify are Rejected, for items that n8n generates, and Verified', () => {
	expect(loadNode('OtpVerify').description.outputNames).toEqual(['Rejected', 'Verified']);
});

test('only the node that n8n lets wait has a hidden field', () => {
	const isHidden = ({ type }: INodeProperties) => type === 'hidden';
	const hidden = folders.map((folder) => {
		const { properties } = loadNode(folder).description;
		const inside = properties.flatMap(({ type, options }) =>
			type === 'collection' ? (options as INodeProperties[]) : [],
		);
		return [folder, [...properties, ...inside].filter(isHidden).length];
	});
	expect(Object.fromEntries(hidden.filter(([, count]) => count !== 0))).toEqual({
		SmsSendAndWaitForResponse: 1,
	});
});

test('the nodes are registered in the package, and nothing else', () => {
	const registered = folders.map((folder) => `dist/nodes/${folder}/${folder}.node.js`);
	expect([...manifest.n8n.nodes].sort()).toEqual(registered);
	expect(manifest.n8n.credentials).toEqual(['dist/credentials/MessagingServiceApi.credentials.js']);
});
