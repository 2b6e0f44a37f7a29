import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';

import { writeDemoNote } from '../../scripts/demo/demoNotes';
import { exampleFile, exampleNames, readExample } from '../../scripts/n8n/examples';
import { projectFolder } from '../../scripts/n8n/paths';

const examples = exampleNames.map((name) => {
	const { nodes, connections } = readExample(name);
	return { file: exampleFile(name), nodes, connections };
});

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/** Pixels of n8n's notes, measured in its editor. */
const font = { title: 17.55, heading: 11.7, subheading: 8, text: 6.55 };
const lineHeight = { title: 49, heading: 32, subheading: 20, text: 19 };
const border = 34;
const kinds = ['text', 'title', 'heading'] as const;

/** How high n8n draws a text, within 20 pixels. */
function estimateHeight(content: string, width: number): number {
	const ofLine = (line: string) => {
		const [, marks] = /^(#+) /.exec(line) ?? [];
		const kind = kinds[marks?.length ?? 0] ?? 'subheading';
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

type Point = [x: number, y: number];

/** Side of a node, and how far its outputs are apart. */
const size = 96;
const spread = 32;

/** Where n8n draws a wire: as a curve, or below its nodes where it leads back. */
function drawWire([x, y]: Point, [toX, toY]: Point): Point[] {
	if (x - 20 > toX) {
		const [right, left, below] = [x + 40, toX - 40, y + 130];
		return [
			[x, y],
			[right, y],
			[right, below],
			[left, below],
			[left, toY],
			[toX, toY],
		];
	}
	const half = Math.max(toX - x, 0) / 2;
	return Array.from({ length: 41 }, (_, step) => {
		const t = step / 40;
		const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
		return [a * x + b * (x + half) + c * (toX - half) + d * toX, (a + b) * y + (c + d) * toY];
	});
}

/** A name and a subtitle below a node. */
const labelHeight = 48;

/** Every ten pixels of a wire. */
function walk(points: Point[]): Point[] {
	return points.slice(1).flatMap(([toX, toY], index) => {
		const [x, y] = points[index];
		const steps = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / 10));
		return Array.from({ length: steps }, (_, step): Point => {
			const t = step / steps;
			return [x + (toX - x) * t, y + (toY - y) * t];
		});
	});
}

/** The wires between main inputs and outputs. */
function listWires(nodes: INode[], connections: IConnections) {
	const placeOf = new Map(nodes.map(({ name, position }) => [name, position]));
	return Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main.flatMap((links, output) =>
			(links ?? []).map(({ node: to }) => {
				const [left, top] = placeOf.get(from) as Point;
				const [toLeft, toTop] = placeOf.get(to) as Point;
				const height = size + Math.max(0, main.length - 2) * spread;
				const start: Point = [left + size, top + (height * (output + 1)) / (main.length + 1)];
				const points = drawWire(start, [toLeft, toTop + size / 2]);
				return { from: `${from} ${output}`, to, points };
			}),
		),
	);
}

describe.each(examples)('$file', ({ file, nodes, connections }) => {
	const at = { n8n: 'http://localhost:5678', inbox: 'http://localhost:8025' };
	const inDemo = writeDemoNote(file.slice(3, -5), nodes, at).filter(isNote);

	test('has notes that are neither cut off nor half empty, as they are and in the demo', () => {
		const notes = nodes.filter(isNote).map(({ name, parameters }, index) => {
			const { content, width = 240, height = 160 } = parameters as Record<string, never>;
			const demo = estimateHeight(String(inDemo[index].parameters.content), width);
			const wanted = Math.ceil((estimateHeight(content, width) + 40) / 10) * 10;
			return { name, height, wanted: Math.max(wanted, Math.ceil(demo / 10) * 10) };
		});
		const wrong = notes.filter(({ height, wanted }) => height < wanted || height > wanted + 40);
		expect(wrong).toEqual([]);
	});

	test('has a first note whose steps can be read at the zoom with which n8n imports it', () => {
		const boxes = nodes.map(({ position: [x, y], parameters }) => {
			const { width = size, height = size } = parameters as Record<string, number>;
			return { left: x, top: y, right: x + width, bottom: y + height };
		});
		const across =
			Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
		const down =
			Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
		// What n8n leaves for a workflow, on a screen of 1366 x 768.
		const zoom = Math.min(1, 1100 / across, 554 / down);
		const { content } = nodes.find(isNote)?.parameters as { content: string };
		const [, marks = ''] = /^(#+ )?1\. /m.exec(content) ?? [];
		expect(zoom * { 0: 14, 2: 36, 3: 24 }[marks.length as 0 | 2 | 3]).toBeGreaterThan(10.3);
		expect(content.split(/\s+/).length).toBeLessThan(160);
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
		for (const [, path] of links) expect(existsSync(join(projectFolder, path))).toBe(true);
	});

	test('runs no wire over a node, or over its name', () => {
		const outputsOf = ({ name }: INode) => connections[name]?.main?.length ?? 1;
		const covered = listWires(nodes, connections).flatMap(({ from, to, points }) =>
			nodes
				.filter((node) => !isNote(node) && node.name !== to && !from.startsWith(`${node.name} `))
				.filter((node) => {
					const [left, top] = node.position;
					const bottom = top + size + Math.max(0, outputsOf(node) - 2) * spread + labelHeight;
					return walk(points).some(
						([x, y]) => x > left && x < left + size && y > top && y < bottom,
					);
				})
				.map(({ name }) => `${from} - ${to} over ${name}`),
		);
		expect(covered).toEqual([]);
	});
});
