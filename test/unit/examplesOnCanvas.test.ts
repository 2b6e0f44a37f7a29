import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { writeDemoNote } from '../../scripts/demo/demoNotes';

const folder = join(__dirname, '../../examples');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: INode[] };
		return { file, nodes };
	});

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/** Pixels of n8n's notes, measured in its editor. */
const font = { heading: 11.7, subheading: 8, text: 6.55 };
const lineHeight = { heading: 32, subheading: 20, text: 19 };
const border = 34;

/** How high n8n draws a text, within 20 pixels. */
function estimateHeight(content: string, width: number): number {
	const ofLine = (line: string) => {
		const [, marks] = /^(#+) /.exec(line) ?? [];
		const kind = marks === undefined ? 'text' : marks === '##' ? 'heading' : 'subheading';
		const indent = /^(\d+\.|-) /.test(line) ? 24 : 0;
		const shown = line.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
		const { length } = shown.replace(/[*`_]|^#+ /g, '');
		const lines = Math.ceil((length * font[kind]) / (width - border - indent));
		const padding = kind === 'text' ? (line.startsWith('|') ? 20 : 0) : 8;
		return lines * lineHeight[kind] + padding;
	};
	const blocks = content.split('\n\n').map((block) =>
		block
			.split('\n')
			.map(ofLine)
			.reduce((sum, height) => sum + height, 8),
	);
	return blocks.reduce((sum, height) => sum + height, 10);
}

describe.each(examples)('$file', ({ file, nodes }) => {
	test('has notes that are neither cut off nor half empty', () => {
		const notes = nodes.filter(isNote).map(({ name, parameters }) => {
			const { content, width = 240, height = 160 } = parameters as Record<string, never>;
			const wanted = Math.ceil((estimateHeight(content, width) + 40) / 10) * 10;
			return { name, height, wanted };
		});
		const wrong = notes.filter(({ height, wanted }) => height < wanted || height > wanted + 40);
		expect(wrong).toEqual([]);
	});

	test('has a note that is not cut off with what the demo writes into it', () => {
		const at = { n8n: 'http://localhost:5678', inbox: 'http://localhost:8025' };
		const [main] = writeDemoNote(file.slice(3, -5), nodes, at).filter(isNote);
		const { content, width = 240, height = 160 } = main.parameters as Record<string, never>;
		expect(height).toBeGreaterThanOrEqual(estimateHeight(content, width));
	});

	test('links to pages by their URL, since a path leads nowhere on the canvas', () => {
		const contents = nodes.filter(isNote).map(({ parameters: { content } }) => String(content));
		const paths = contents.flatMap((content) =>
			content.match(/(?<!\/blob\/main\/)docs\/[\w-]+\.md/g),
		);
		expect(paths.filter(Boolean)).toEqual([]);
		const links = contents.flatMap((content) => [
			...content.matchAll(/\/blob\/main\/(docs\/[\w-]+\.md)/g),
		]);
		for (const [, path] of links) expect(existsSync(join(folder, '..', path))).toBe(true);
	});

	test('fits on a screen at half its size, so that its notes can be read when it is opened', () => {
		const boxes = nodes.map(({ position: [left, top], parameters, ...node }) => {
			const { width = 100, height = 130 } = parameters as { width?: number; height?: number };
			return { ...node, left, top, right: left + width, bottom: top + height };
		});
		const span = (from: number[], to: number[]) => Math.max(...to) - Math.min(...from);
		const width = span(
			boxes.map(({ left }) => left),
			boxes.map(({ right }) => right),
		);
		const height = span(
			boxes.map(({ top }) => top),
			boxes.map(({ bottom }) => bottom),
		);
		expect(width).toBeLessThanOrEqual(2_400);
		expect(height).toBeLessThanOrEqual(1_600);
	});
});
