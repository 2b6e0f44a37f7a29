import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import { MessagingServiceApi } from '../credentials/MessagingServiceApi.credentials';

const projectFolder = join(__dirname, '..');
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

interface Codex {
	resources: { primaryDocumentation: Array<{ url: string }> };
}

interface Documented {
	name: string;
	anchor: string;
	properties: INodeProperties[];
	outputNames?: string[];
}

/** GitHub's anchor of a heading: lower case, hyphens for spaces, other punctuation left out. */
function toAnchor(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s-]/gu, '')
		.replace(/\s/g, '-');
}

/** The text below each heading up to the next one of the same or a higher level, by anchor. */
function readSections(markdown: string): Map<string, string> {
	const headings = [...markdown.replace(/```[\s\S]*?```/g, blank).matchAll(/^(#+) (.+)$/gm)];
	return new Map(
		headings.map(({ 1: { length: level }, 2: text, index }) => {
			const next = headings.find((other) => other.index > index && other[1].length <= level);
			return [toAnchor(text), markdown.slice(index, next?.index)];
		}),
	);
}

/** Code blocks keep their length, so that places in the text stay where they are. */
function blank(text: string): string {
	return text.replace(/[^\n]/g, ' ');
}

function readNodes(): Documented[] {
	const { n8n } = JSON.parse(read('package.json')) as { n8n: { nodes: string[] } };
	return n8n.nodes.map((path) => {
		const source = path.replace('dist/', '').replace(/\.js$/, '');
		const className = source.split('/').at(-1)?.replace('.node', '') ?? '';
		const file = jest.requireActual<Record<string, new () => INodeType>>(`../${source}`);
		const { displayName, properties, outputNames } = new file[className]().description;
		const codex = JSON.parse(read(`${source}.json`)) as Codex;
		const [{ url }] = codex.resources.primaryDocumentation;
		return { name: displayName, anchor: url.split('#')[1], properties, outputNames };
	});
}

/** The fields that a user sees: those of collections as well, notices and what only tools have not. */
function listFields(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		if (property.type === 'notice' || property.name === 'toolDescription') return [];
		const isCollection = property.type === 'collection';
		return isCollection ? listFields(property.options as INodeProperties[]) : [property];
	});
}

/** The first two cells of every row: what the field is called, and its parameter. */
function readRows(section: string): string[] {
	const rows = [...section.matchAll(/^\| *([^|]+?) *\| *`([^`|]+)` *\|/gm)];
	return rows.map(([, label, parameter]) => `${label} | ${parameter}`);
}

const toRows = (properties: INodeProperties[]) =>
	listFields(properties).map(({ displayName, name }) => `${displayName} | ${name}`);

describe('README', () => {
	const readme = read('README.md');
	const sections = readSections(readme);
	const anchors = new Set([
		...sections.keys(),
		...[...readme.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id),
	]);

	test.each(readNodes())('names every field of $name, and no other', ({ anchor, properties }) => {
		const documented = readRows(sections.get(anchor) ?? '');
		expect(documented.sort()).toEqual(toRows(properties).sort());
	});

	test.each(readNodes())('shows the outputs of $name', ({ anchor, outputNames = [] }) => {
		for (const name of outputNames) expect(sections.get(anchor)).toContain(`| ${name} `);
	});

	test('has the section that the link of the credential leads to', () => {
		const [, anchor] = new MessagingServiceApi().documentationUrl.split('#');
		expect([...anchors]).toContain(anchor);
	});

	test('names every field of the credential, and no other', () => {
		const documented = readRows(sections.get('credentials') ?? '');
		expect(documented.sort()).toEqual(toRows(new MessagingServiceApi().properties).sort());
	});

	test('shows pictures that are there, and all of them', () => {
		const shown = [...readme.matchAll(/docs\/images\/([\w-]+\.png)/g)].map(([, file]) => file);
		const kept = readdirSync(join(projectFolder, 'docs/images'));
		expect([...new Set(shown)].sort()).toEqual(kept.sort());
	});

	test('links only to sections and files that are there', () => {
		const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
		for (const target of targets.filter((link) => !/^https?:/.test(link))) {
			const [path, anchor] = target.split('#');
			const file = path === '' ? readme : read(path);
			expect(file).not.toBe('');
			if (path === '') expect([...anchors]).toContain(anchor);
		}
	});
});
