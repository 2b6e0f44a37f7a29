import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import { rules } from '../../nodes/shared/client/verdict';
import type { Options } from '../../nodes/shared/options/option';
import { balanceOptions } from '../../nodes/SmsBalance/balance.operation';
import { options as bulkOptions } from '../../nodes/SmsBulkSend/bulkSend.operation';
import { historyFilters } from '../../nodes/SmsHistory/filters';
import { historyOptions } from '../../nodes/SmsHistory/history.operation';
import { statuses } from '../../nodes/SmsReceiptTrigger/statusOptions';
import { triggerOptions } from '../../nodes/SmsReceiptTrigger/triggerOptions';
import { options as sendOptions } from '../../nodes/SmsSend/send.operation';
import { options as waitOptions } from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import { options as askOptions } from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import { loadNode, nodeFolders } from '../support/unit/loadNode';

const projectFolder = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

const everyOption: Options = {
	...{ ...balanceOptions, ...bulkOptions, ...historyFilters, ...historyOptions, ...otpOptions },
	...{ ...sendOptions, ...waitOptions, ...askOptions, ...triggerOptions, statuses },
};

function isRead(readOption: () => unknown): boolean {
	try {
		readOption();
		return true;
	} catch {
		return false;
	}
}

interface Codex {
	resources: { primaryDocumentation: Array<{ url: string }> };
}

interface Documented {
	name: string;
	/** In `docs`. */
	page: string;
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

/** The page that a link of the editor leads to: without a fragment, behind which n8n would put a query of its own. */
function toPage(url: string): string {
	expect(url).toMatch(/\/blob\/main\/docs\/[\w-]+\.md$/);
	return url.replace(/^.*\/blob\/main\//, '');
}

function readNodes(): Documented[] {
	return nodeFolders.map((folder) => {
		const { displayName, properties, outputNames } = loadNode(folder).description;
		const codex = JSON.parse(read(`nodes/${folder}/${folder}.node.json`)) as Codex;
		const [{ url }] = codex.resources.primaryDocumentation;
		return { name: displayName, page: toPage(url), properties, outputNames };
	});
}

/** The fields that a user sees: those of collections as well, notices and what only tools have not. */
function listFields(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		if (['notice', 'hidden'].includes(property.type) || property.name === 'toolDescription')
			return [];
		const isCollection = property.type === 'collection';
		return isCollection ? listFields(property.options as INodeProperties[]) : [property];
	});
}

/** Label and parameter of each field: of every row or bullet, and what a line says to be as in SMS Send. */
function readFields(section: string): string[] {
	const rules = [...section.matchAll(/^(?:\| *|- \*\*)([^|*]+?)(?: *\| *|\*\* \()`([^`|]+)`/gm)];
	const [, others = ''] = sharedFields.exec(section) ?? [];
	const listed = [...others.matchAll(/([A-Z][^,`]*) \(`([^`]+)`\)/g)];
	return [...rules, ...listed].map(([, label, parameter]) => `${label} | ${parameter}`);
}

const toRows = (properties: INodeProperties[]) =>
	listFields(properties)
		// Shown only for a wrong value, so that n8n refuses to publish it.
		.filter(({ required, displayOptions }) => !(required && displayOptions?.hide))
		.map(({ displayName, name }) => `${displayName} | ${name}`);

const pages = [
	...readdirSync(projectFolder),
	...readdirSync(join(projectFolder, 'docs')).map((file) => `docs/${file}`),
	'examples/README.md',
	'sandbox/README.md',
	'sandbox/SERVICE.md',
].filter((file) => file.endsWith('.md'));

/** The fields that a node has in common with SMS Send: a list in one line. */
const sharedFields = /^\*\*As in \[SMS Send\]\(sms-send\.md\):\*\* (.+)$/m;

describe('the documentation', () => {
	test.each(readNodes())('names every field of $name, and no other', ({ page, properties }) => {
		expect(readFields(read(page)).sort()).toEqual(toRows(properties).sort());
	});

	test.each(readNodes())('shows the outputs of $name', ({ page, outputNames = [] }) => {
		for (const name of outputNames) expect(read(page)).toContain(`| ${name} `);
	});

	test.each(readNodes())('has $name in the table of the README', ({ name, page }) => {
		expect(read('README.md')).toContain(`| [${name}](${page})`);
	});

	test('names every field of the credential, and no other', () => {
		const { documentationUrl, properties } = new MessagingServiceApi();
		expect(readFields(read(toPage(documentationUrl))).sort()).toEqual(toRows(properties).sort());
	});

	test('shows pictures that are there, and all of them', () => {
		const all = pages.map(read).join('');
		const shown = [...all.matchAll(/images\/([\w-]+\.png)/g)].map(([, file]) => file);
		const kept = readdirSync(join(projectFolder, 'docs/images'));
		expect([...new Set(shown)].sort()).toEqual(kept.sort());
	});

	test.each(pages)('%s links only to files and sections that are there', (page) => {
		const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
		for (const target of targets.filter((link) => !/^(https?|mailto):/.test(link))) {
			const [path, anchor] = target.split('#');
			const file = path === '' ? page : join(dirname(page), path);
			const text = read(file);
			expect(text).not.toBe('');
			if (anchor) expect([...readSections(text).keys()]).toContain(anchor);
		}
	});

	test.each(pages)('%s has JSON that can be copied', (page) => {
		for (const [, json] of read(page).matchAll(/^```json\n([\s\S]*?)^```/gm)) {
			expect(() => JSON.parse(json) as unknown).not.toThrow();
		}
	});

	test('names each kind of error, and each reason of OTP Verify, that there is', () => {
		const kinds = new Set(rules.map(({ kind }) => kind));
		const named = [...read('docs/sms-send.md').matchAll(/`kind: "(\w+)"`/g)].map(
			([, kind]) => kind,
		);
		const others = ['input', 'outcomeUnknown'];
		expect(named.filter((kind) => !kinds.has(kind as never) && !others.includes(kind))).toEqual([]);
		const reasons = rules.flatMap(({ ofCode = [] }) => ofCode);
		const told = [...read('docs/otp-verify.md').matchAll(/^\| `(\w+)` +\| Rejected /gm)];
		const all = new Set([...reasons, 'couldNotCheck', 'notACode', 'otherRecipient']);
		expect(told.map(([, reason]) => reason).sort()).toEqual([...all].sort());
	});

	test.each(['09791234567', '+959791234567', '95 9 791-234-567'])(
		'has a filter that drops %s, which opted out as 959791234567, and nobody else',
		(phone) => {
			const [, code] = /^\{\{ (.*all\(\)\.some.*) \}\}$/m.exec(read('docs/campaigns.md'))!;
			const isOut = new Function('$', '$json', `return ${code}`) as (
				nodes: () => unknown,
				json: object,
			) => boolean;
			const nodes = () => ({ all: () => [{ json: { phone: '959791234567' } }] });
			expect(isOut(nodes, { phone })).toBe(true);
			expect(isOut(nodes, { phone: '09791234568' })).toBe(false);
		},
	);

	test('says in SECURITY.md which options can be empty', () => {
		const canBeEmpty = Object.values(everyOption).filter(({ read: readOption }) =>
			['', []].some((nothing) => isRead(() => readOption(nothing))),
		);
		const [sentence] = /^.*You can leave these empty:.*$/m.exec(read('SECURITY.md')) ?? [];
		const labels = canBeEmpty.map(({ property }) => property.displayName);
		expect(labels.length).toBeGreaterThan(4);
		expect(labels.filter((label) => !sentence?.includes(label))).toEqual([]);
	});
});
