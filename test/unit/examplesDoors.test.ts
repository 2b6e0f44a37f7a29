import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { otpOptions } from '../../nodes/OtpRequest/otpOptions';

const folder = join(__dirname, '../../examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const examples = files.map((file) => {
	const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: INode[] };
	return { number: file.slice(0, 2), nodes };
});

/** Any other trigger can be called from outside. */
const startedInside = /\.(manual|schedule|error|executeWorkflow|n8n)Trigger$/;

const locks: Record<string, string> = {
	basicAuth: ' with a login',
	n8nUserAuth: ' with a login',
	headerAuth: ' with a key',
	jwtAuth: ' with a key',
};

/** How strangers reach a node, as the table of the README names it. */
function doorOf({ type, parameters }: INode): string | undefined {
	const [, name = ''] = /\.(\w+?)(?:Tool)?$/.exec(type) ?? [];
	const { authentication, resume } = parameters;
	const lock = locks[String(authentication)] ?? '';
	if (name === 'smsSendAndWaitForResponse') return 'page of a question';
	if (name === 'smsSendAndWait') return 'receipt of one message';
	if (name === 'smsReceiptTrigger') return 'receipts';
	if (name === 'formTrigger') return `form${lock}`;
	if (name === 'webhook') return `webhook${lock}`;
	if (name === 'wait') return ['webhook', 'form'].includes(String(resume)) ? name : undefined;
	return /Trigger$/.test(name) && !startedInside.test(type) ? name : undefined;
}

const doors = examples.flatMap(({ number, nodes }) => {
	const kinds = nodes.flatMap((node) => doorOf(node) ?? []);
	return [...new Set(kinds)].map((kind) => `${number} ${kind}`);
});

const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const [, section] = readme.split('## Before you publish an example');
const rows = [...section.matchAll(/^\| (\d\d[^|]*?) +\|([^\n]*)\|$/gm)].map(([, first, rest]) => {
	const [, numbers, kind] = /^([\d, ]+) \((.+)\)$/.exec(first) ?? [];
	const [can, cannot] = rest.split('|').map((cell) => cell.trim());
	return { numbers: numbers.split(', '), kind, can, cannot };
});

/** What strangers can spend with the codes of an example: its limits per hour, by channel. */
function listSpending({ nodes }: (typeof examples)[number]): string[] {
	const requests = nodes.filter(({ type }) => type.endsWith('.otpRequest'));
	return requests.map(({ parameters }) => {
		const { channel, maxPerHour: most = otpOptions.maxPerHour.whenAbsent } = parameters.options as {
			channel: string;
			maxPerHour?: number;
		};
		const unit = { sms: 'SMS', email: 'emails' }[channel] ?? 'codes';
		return most === 0 ? 'no limit in all' : `${most} unverified ${unit}`;
	});
}

describe('the table of what to know before an example is published', () => {
	test('lists every door of the examples, and no other', () => {
		const listed = rows.flatMap(({ numbers, kind }) =>
			numbers.map((number) => `${number} ${kind}`),
		);
		expect(listed.sort()).toEqual(doors.sort());
	});

	test.each(rows)('says what strangers can do and what not: $numbers, $kind', ({ can, cannot }) => {
		expect(can).toMatch(/\w/);
		expect(cannot).toMatch(/\w/);
	});

	const withCodes = examples.filter((example) => listSpending(example).length > 0);

	test.each(withCodes)('names what the codes of $number cost at most', (example) => {
		const row = rows.find(({ numbers }) => numbers.includes(example.number));
		for (const limit of listSpending(example)) expect(row?.can).toContain(limit);
		const { default: perNumber } = otpOptions.maxPerRecipient.property;
		expect(row?.can).toContain(`${String(perNumber)} to `);
	});

	test.each(withCodes)('is what the notes of $number say, where anyone can open it', (example) => {
		const isOpen = doors.includes(`${example.number} form`);
		const notes = example.nodes.map(({ parameters }) => String(parameters.content)).join('\n');
		if (!isOpen) return;
		const [, ofStrangers] = /### What strangers can do\n([^]+?)(?:\n#|$)/.exec(notes) ?? [];
		for (const limit of listSpending(example)) expect(ofStrangers).toContain(limit);
	});

	test('names what one file of the spreadsheet example can cost', () => {
		for (const { number, nodes } of examples) {
			for (const { parameters } of nodes.filter(({ type }) => type.endsWith('.smsBulkSend'))) {
				const { maxMessages, maxParts } = (parameters.options ?? {}) as Record<string, number>;
				if (!maxMessages) continue;
				const { can } = rows.find(({ numbers }) => numbers.includes(number)) ?? {};
				expect(can).toContain(
					`${maxMessages.toLocaleString('en-US')} messages of ${maxParts} parts`,
				);
			}
		}
	});
});
