import type { INode } from 'n8n-workflow';

import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import { exampleFile, exampleNames, readExample } from '../../scripts/n8n/examples';

const examples = exampleNames.map((name) => ({
	...{ number: exampleFile(name).slice(0, 2), nodes: readExample(name).nodes },
}));

/** Any other trigger can be called from outside. */
const startedInside = /\.(manual|schedule|error|executeWorkflow|n8n)Trigger$/;

const locks: Record<string, string> = {
	basicAuth: ' with a login',
	n8nUserAuth: ' with a login',
	headerAuth: ' with a key',
	jwtAuth: ' with a key',
};

/** How strangers reach a node. */
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

/** The line of the notes of an example that says what strangers can do. */
function findLine({ nodes }: (typeof examples)[number]): string {
	const notes = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
	return /\*\*Strangers\*\* can.+/.exec(notes)?.[0] ?? '';
}

/** What strangers can spend with the codes of an example: its limits per hour. */
function listSpending({ nodes }: (typeof examples)[number]): string[] {
	const requests = nodes.filter(({ type }) => type.endsWith('.otpRequest'));
	return requests.map(({ parameters }) => {
		const { maxPerHour: most = otpOptions.maxPerHour.whenAbsent } = parameters.options as {
			maxPerHour?: number;
		};
		return most === 0 ? 'no limit in all' : `${most} unverified codes an hour`;
	});
}

describe('the notes of an example that strangers can reach', () => {
	const withDoors = examples.filter(({ nodes }) => nodes.some((node) => doorOf(node)));

	test('are those of every example that is not started inside n8n', () => {
		expect(withDoors.length).toBeGreaterThan(12);
		const told = examples.filter((example) => findLine(example) !== '');
		expect(told.map(({ number }) => number)).toEqual(withDoors.map(({ number }) => number));
	});

	const withCodes = withDoors.filter((example) => listSpending(example).length > 0);

	test.each(withCodes)('name what the codes of $number cost at most', (example) => {
		for (const limit of listSpending(example)) expect(findLine(example)).toContain(limit);
	});

	test('name what one file of the spreadsheet example can cost', () => {
		for (const example of withDoors) {
			const sends = example.nodes.filter(({ type }) => type.endsWith('.smsBulkSend'));
			for (const { parameters } of sends) {
				const { maxMessages, maxParts } = (parameters.options ?? {}) as Record<string, number>;
				if (typeof maxMessages !== 'number') continue;
				const cost = `${maxMessages.toLocaleString('en-US')} messages of ${maxParts} parts`;
				expect(findLine(example)).toContain(cost);
			}
		}
	});
});
