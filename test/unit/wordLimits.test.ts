import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodeType } from 'n8n-workflow';

const nodesFolder = resolve(__dirname, '../../nodes');

const folders = readdirSync(nodesFolder).filter((name) => name !== 'shared');

const maxDescription = 160;
const maxHint = 120;

interface Text {
	where: string;
	displayName?: string;
	description?: string;
	hint?: string;
}

/** Everything that has words: properties, the choices of one, and what is inside of collections. */
function listTexts(properties: INodeProperties[], path: string): Text[] {
	return properties.flatMap((property) => {
		const where = `${path}.${property.name}`;
		const inner = (property.options ?? []).flatMap((one): Text[] => {
			if ('values' in one)
				return listTexts((one as INodePropertyCollection).values, `${where}.${one.name}`);
			if ('type' in one) return listTexts([one as INodeProperties], where);
			return [{ where: `${where}: ${one.name}`, displayName: one.name, ...one } as Text];
		});
		return [{ ...property, where }, ...inner];
	});
}

function load(folder: string): INodeType {
	const loaded = jest.requireActual<Record<string, new () => INodeType>>(
		`../../nodes/${folder}/${folder}.node`,
	);
	return new loaded[folder]();
}

/** What a model reads of a tool is a prompt and no label. */
const texts = folders.flatMap((folder) => {
	const { properties } = load(folder).description;
	return listTexts(
		properties.filter(({ name }) => name !== 'toolDescription'),
		folder,
	);
});

/** A full stop within an abbreviation, an address or a number ends no sentence. */
const countSentences = (text: string) =>
	text.split(/[.!?](?:\s+(?=[A-Z])|$)/).filter(Boolean).length;

describe('the words of the nodes', () => {
	test(`descriptions have two sentences at most, and ${maxDescription} characters`, () => {
		const long = texts.filter(
			({ description = '' }) =>
				description.length > maxDescription || countSentences(description) > 2,
		);
		expect(long.map(({ where, description }) => `${where}: ${description}`)).toEqual([]);
	});

	test(`hints have ${maxHint} characters at most`, () => {
		const long = texts.filter(({ hint = '' }) => hint.length > maxHint);
		expect(long.map(({ where, hint }) => `${where}: ${hint}`)).toEqual([]);
	});

	test('limits are called Max', () => {
		const labels = texts.map(({ displayName = '' }) => displayName);
		expect(labels.filter((label) => /\b(Most|Maximum|Maximal)\b/.test(label))).toEqual([]);
	});
});
