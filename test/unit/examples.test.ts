import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';

import { attempt } from '../../nodes/shared/input/InputError';
import { spellings } from '../support/e2e/spellings';
import { normalizePhoneNumber } from '../../nodes/shared/input/number';
import { writeDemoNote } from '../../scripts/demo/demoNotes';

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	pinData: object;
	tags: Array<{ name: string }>;
}

const projectFolder = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

const files = readdirSync(join(projectFolder, 'examples')).filter((name) => name.endsWith('.json'));
const examples = files.map((file) => ({
	file,
	...(JSON.parse(read(`examples/${file}`)) as Example),
}));

const ours = (() => {
	const { name, n8n } = JSON.parse(read('package.json')) as {
		name: string;
		n8n: { nodes: string[] };
	};
	const classNames = n8n.nodes.map((path) => path.split('/').at(-1)?.replace('.node.js', '') ?? '');
	return classNames.map((cls) => `${name}.${cls.charAt(0).toLowerCase()}${cls.slice(1)}`);
})();

test('the examples have numbers of their own, and the lists have each of them once', () => {
	const numbers = files.map((file) => file.slice(0, 3));
	expect(numbers).toEqual([...new Set(numbers)]);
	const links = [...read('examples/README.md').matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)];
	expect(links.map(([, name, file]) => [name, file]).sort()).toEqual(
		examples.map(({ name, file }) => [name, file]),
	);
});

test('the examples name a kind of credential alike, so that n8n finds it in each of them', () => {
	const named = examples.flatMap(({ nodes }) =>
		nodes.flatMap(({ credentials }) =>
			Object.entries(credentials ?? {}).map(([kind, { name }]) => [kind, name].join(': ')),
		),
	);
	const kinds = [...new Set(named)].map((one) => one.split(': ')[0]);
	expect(kinds).toEqual([...new Set(kinds)]);
});

/** What a person who never codes can still change. */
const usual = { nodes: 16, lines: 10, expression: 260 };
const drawing = { lines: 60 };
const limits: Record<string, Partial<typeof usual>> = {
	'02': { expression: 440 },
	'05': { nodes: 22 },
	'09': { nodes: 20 },
	'10': { nodes: 20 },
	'12': { expression: 324 },
	'20': { expression: 769 },
	'24': drawing,
	'27': drawing,
	'28': drawing,
	'30': { nodes: 30, lines: 60 },
	'31': { nodes: 22 },
};

/** The lines of JavaScript in Code nodes, and in scripts of pages. */
function countLines(nodes: INode[]): number {
	const texts = nodes.map(({ parameters }) => String(parameters.jsCode ?? ''));
	const scripts = JSON.stringify(nodes).match(/<script.*?<\/script>/g) ?? [];
	const lines = [...texts, ...scripts.map((one) => one.replaceAll('\\n', '\n'))].join('\n');
	return lines.split('\n').filter((line) => line.trim() !== '').length;
}

const listTexts = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return value && typeof value === 'object' ? Object.values(value).flatMap(listTexts) : [];
};

describe.each(examples)('$file', ({ file, name, nodes, connections, pinData, tags }) => {
	const [number] = file.split('-');
	const title = name.slice(3);
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

	test('takes a row of opt-outs without a phone number for one that cannot be read', () => {
		// n8n passes the input of a Data Table on where its database failed.
		const lists = listTexts(nodes).filter((text) => /^=\{\{ \$\('Opt-outs'\)\.all\(\)/.test(text));
		for (const list of lists)
			expect(list).toMatch(
				/\.filter\(\(row\) => Object\.keys\(row\.json\)\.length\)\.map\([^.]+\.json[^)]+\) \}\}$/,
			);
	});

	test('is short enough to be changed without a programmer', () => {
		const most = { ...usual, ...limits[number] };
		const working = nodes.filter((node) => !notes.includes(node));
		const expressions = working.flatMap(({ parameters }) =>
			listTexts({ ...parameters, jsCode: '' }).filter(
				(text) => text.startsWith('=') && !text.startsWith('=<!'),
			),
		);
		const longest = Math.max(0, ...expressions.map((text) => text.length));
		const actual = { nodes: working.length, lines: countLines(nodes), expression: longest };
		const over = Object.entries(actual).filter(([key, count]) => count > most[key as 'nodes']);
		expect(over).toEqual([]);
	});

	test('bears its number in its name, and tags', () => {
		expect(name).toBe(`${number} ${title}`);
		expect(tags.length).toBeGreaterThan(0);
	});

	test('uses a node of this package, as it is called once installed', () => {
		const types = nodes
			.map(({ type }) => type)
			.filter((type) => !/^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./.test(type));
		expect(types).not.toEqual([]);
		for (const type of types) expect(ours).toContain(type.replace(/Tool$/, ''));
	});

	test('has one Manual Trigger at most: an import into n8n keeps one', () => {
		const manual = nodes.filter(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		expect(manual.length).toBeLessThanOrEqual(1);
	});

	test('puts no code of its own into texts: people edit them', () => {
		const texts = nodes.filter(({ type }) => /\.sms(Bulk)?Send$/.test(type));
		for (const { parameters } of texts)
			expect(parameters.message).not.toMatch(/\bString\(|\.slice\(/);
	});

	test('names credentials, and brings neither an id nor data of its maker', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		for (const credential of credentials) expect(credential.id).toBeNull();
		expect(pinData).toEqual({});
	});

	test('contains no URL of a receipt trigger, which every importer would share', () => {
		for (const trigger of nodes.filter(({ type }) => type.endsWith('.smsReceiptTrigger')))
			expect(trigger).not.toHaveProperty('webhookId');
	});

	test('has the limits of docs/ai-agents.md on each tool that sends', () => {
		for (const { parameters } of nodes.filter(({ type }) => /Send\w*Tool$/.test(type))) {
			expect(parameters.options).toMatchObject({ allowedCountryCodes: '95', maxMessages: 1 });
		}
	});

	test('says on a note what to set', () => {
		const [first] = notes.map(({ parameters }) => String(parameters.content));
		expect(first).toContain(`# ${title}`);
		expect(first).toMatch(/^(#+ )?1\. /m);
	});

	test('has its notes where they cover no node, and are not covered by the checklist of n8n', () => {
		const boxOf = ({ position: [x, y], parameters }: INode) => {
			const { width = 100, height = 100 } = parameters as { width?: number; height?: number };
			return { left: x, top: y, right: x + width, bottom: y + height };
		};
		const boxes = nodes.map(boxOf);
		const others = (node: INode) => nodes.filter((other) => other !== node).map(boxOf);
		for (const note of notes) {
			const { left, top, right, bottom } = boxOf(note);
			const covered = others(note).filter(
				(box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
			);
			expect(covered).toEqual([]);
		}
		const isPublished = nodes.some(({ type }) =>
			/\.(formTrigger|webhook|scheduleTrigger|smsReceiptTrigger)$/.test(type),
		);
		// A note left of everything is read before the workflow is published.
		const leftmost = Math.min(
			...nodes.filter((node) => !notes.includes(node)).map((node) => boxOf(node).left),
		);
		if (!isPublished || boxOf(notes[0]).right < leftmost) return;
		// The checklist opens on the left third of what is shown of a published workflow.
		const start = Math.min(...boxes.map(({ left }) => left));
		const end = Math.max(...boxes.map(({ right }) => right));
		expect((boxOf(notes[0]).left - start) / (end - start)).toBeGreaterThan(0.33);
	});

	test('asks in the demo for nothing that is done there, and names the inbox', () => {
		const at = { n8n: 'http://n8n', inbox: 'http://inbox' };
		const [demoNote] = writeDemoNote(file.slice(3, -5), nodes, at)
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map(({ parameters }) => String(parameters.content));
		expect(demoNote).toContain(`# ${title}`);
		expect(demoNote).toContain('**Inbox**: [http://inbox](http://inbox)');
		expect(demoNote).not.toMatch(/your credential|Sender ID|fill in|SMTP|Basic Auth|Header Auth/);
	});

	test('ends on a page that fits on a phone: n8n makes it 448 pixels wide', () => {
		const pages = nodes.filter(({ parameters }) => parameters.operation === 'completion');
		for (const { name, parameters } of pages)
			expect([name, parameters.options]).toEqual([
				name,
				expect.objectContaining({ customCss: expect.stringContaining('94vw') }),
			]);
	});

	test('connects only nodes that it has', () => {
		const names = new Set(nodes.map((node) => node.name));
		for (const [from, byType] of Object.entries(connections)) {
			expect(names).toContain(from);
			const links = Object.values(byType).flat(2);
			for (const link of links) expect(names).toContain(link?.node);
		}
	});

	test('is executed in the end-to-end tests', () => {
		const ofExamples = readdirSync(join(projectFolder, 'test/e2e')).filter((name) =>
			/^examples.*\.test\.ts$/.test(name),
		);
		const tests = ofExamples.map((name) => read(`test/e2e/${name}`)).join('');
		expect(tests).toContain(`'${file.slice(3, -5)}`);
	});
});

const typedNumbers = spellings.filter(
	(typed) => 'value' in attempt(() => normalizePhoneNumber(typed)),
);

describe('the number that otp-limits-in-redis counts by', () => {
	const { nodes } = examples.find(({ file }) => file.includes('otp-limits-in-redis')) as Example;
	const parametersOf = (name: string) =>
		JSON.stringify(nodes.find((node) => node.name === name)?.parameters);
	const [, source] = /"=\{\{(.*)\}\}"/.exec(parametersOf('Number')) ?? [];
	const evaluate = new Function('$json', `return ${JSON.parse(`"${source}"`)}`) as (
		item: object,
	) => string;
	const toNumber = (phone: unknown) => evaluate({ body: { phone } });

	test('is the one that OTP Request sends to, in each usual spelling, and never another', () => {
		let same = 0;
		for (const typed of typedNumbers) {
			const sent = attempt(() => normalizePhoneNumber(toNumber(typed)));
			if (!('value' in sent)) continue;
			expect(sent.value).toBe(normalizePhoneNumber(typed));
			if (!sent.value.startsWith('95')) continue;
			expect(toNumber(typed)).toBe(sent.value);
			same += 1;
		}
		expect(same).toBe(23);
	});

	test('has at most 30 characters, so that a long text fills no memory, and never becomes a number', () => {
		for (const text of ['9'.repeat(100_000), '09 '.repeat(100_000), '+959791234567'.repeat(3)]) {
			expect(toNumber(text)).toHaveLength(30);
			expect(attempt(() => normalizePhoneNumber(toNumber(text)))).toHaveProperty('error');
		}
	});

	test.each([
		['+65 9123 4567', '+6591234567'],
		['0065 9123-4567', '+6591234567'],
		['+65\u22129123\u22124567', '+6591234567'],
		['+44 (0)7911 123456', '+447911123456'],
		['95912345678901', '?95912345678901'],
		[undefined, ''],
		['none', 'none'],
		['9607771234', '?9607771234'],
		['0959123456', '?0959123456'],
		['tel:09791234567', '?tel:09791234567'],
		['٠٩٧٩١٢٣٤٥٦٧', '?٠٩٧٩١٢٣٤٥٦٧'],
	])('leaves %j to OTP Request as %j', (phone, to) => {
		expect(toNumber(phone)).toBe(to);
	});
});
