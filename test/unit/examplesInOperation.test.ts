import type { INode } from 'n8n-workflow';

import { exampleFile, exampleNames, readExample } from '../../scripts/n8n/examples';

const examples = exampleNames.map((name) => {
	const { nodes, connections, settings = {} } = readExample(name);
	return { file: exampleFile(name), nodes, connections, settings };
});

const kindOf = ({ type }: INode) => type.split('.').at(-1) ?? '';

/** Repeating a request of these reads again, or changes what it changed before. */
const repeatable = [
	...['smsHistory', 'smsBalance', 'smsSend', 'smsBulkSend'],
	...['smsSendAndWait', 'smsSendAndWaitForResponse', 'emailSend', 'dataTable', 'postgres'],
];

/** Why nodes of these kinds are not retried. By example and node. */
const notRetried: Record<string, string> = {
	'00 Read balance': 'the page says what fails',
	'00 Send test message': 'the page says what fails',
	'00 Read history': 'the page says what fails',
	'01 Send SMS': 'it shows the first SMS, and whoever tries it sees the first error at once',
	'03 SMS Bulk Send':
		'the person at the form uploads the file again, and accepted rows are skipped',
	'05 Send reminders': 'the next start, half an hour later, sends what was left',
	'05 Store': 'a second attempt would store rows twice',
	'32 Send reminders': 'the next start, half an hour later, sends what was left',
	'33 Send again': 'the person at the form starts again',
	'34 Send SMS': 'the person at the form enters it again',
	'06 Text the team': 'the email follows at once, and must not wait for it',
	'09 Send the batch': 'the next run continues with what was left',
	'10 Is it a number?': 'a dry run that reads nothing',
	'10 Save it': 'the visitor is asked to try again',
	'31 Write as asked': 'a second row would be a second question',
	'31 Check questions': 'the person at the form uploads the file again',
	'17 Take a batch': 'a lost response leaves rows that the next run takes',
	'17 Send the batch': 'the next run continues with what was left',
	'18 Note in Postgres': 'the second attempt would not be the first receipt',
	...Object.fromEntries(
		[
			...['Table', 'Find the code'],
			...['Keep the ticket', 'Unverified codes', 'Keep the request ID', 'Forget the ticket'],
		].map((name) => [`30 ${name}`, 'the visitor waits, and the page says what to do']),
	),
	'30 Forget old codes': 'the next run forgets them',
};

/** Nodes that a click starts, such as those that create a table, are executed again by hand. */
function listStartedByHand({ nodes, connections }: (typeof examples)[number]) {
	const links = connections as Record<string, { main?: Array<Array<{ node: string }>> }>;
	const follow = (names: string[]): string[] =>
		names.flatMap((name) => [
			name,
			...follow((links[name]?.main ?? []).flat().map(({ node }) => node)),
		]);
	const setUp = nodes.filter((node) => kindOf(node) === 'manualTrigger' && /once/i.test(node.name));
	return follow(setUp.map(({ name }) => name));
}

/** Several examples read and write them. */
const sharedTables = ['SMS opt-outs', 'SMS runs'];

/** Why runs of a schedule may overlap. */
const overlapping: Record<string, string> = {
	'06': 'an email that takes more than a minute is sent again: better than none',
	'09': 'each run takes other rows',
	'17': 'each run takes other rows',
	'28': 'it runs once a day',
	'30': 'an email that takes more than a minute is sent again: better than none',
};
/** Seconds between the runs of the others. */
const intervals: Record<string, number> = { '05': 1_800, '13': 3_600, '24': 300, '32': 1_800 };

describe.each(examples)('$file', (example) => {
	const { file, nodes, settings } = example;
	const [number] = file.split('-');

	test('has a time zone', () => {
		expect(settings.timezone).toBe('Asia/Yangon');
	});

	test('retries what is safe to repeat, or has a reason', () => {
		const byHand = listStartedByHand(example);
		const forgotten = nodes.filter(
			(node) =>
				repeatable.includes(kindOf(node)) &&
				!byHand.includes(node.name) &&
				!(node.retryOnFail && Number(node.waitBetweenTries) >= 1_000) &&
				!notRetried[`${number} ${node.name}`],
		);
		expect(forgotten.map(({ name }) => name)).toEqual([]);
	});

	test('never repeats what counts or costs: a code, its check, a counter', () => {
		const costly = nodes.filter((node) =>
			['otpRequest', 'otpVerify', 'redis'].includes(kindOf(node)),
		);
		for (const { retryOnFail } of costly) expect(retryOnFail).not.toBe(true);
	});

	test('ends a run before the next one begins, so that two runs never tell the same', () => {
		const isScheduled = nodes.some((node) => kindOf(node) === 'scheduleTrigger');
		if (!isScheduled || overlapping[number]) return;
		expect(settings.executionTimeout).toBeLessThan(intervals[number]);
	});

	test('names its data tables as no other table is named', () => {
		const created = nodes.flatMap(({ parameters }) => parameters.tableName ?? []);
		const own = created.filter((table) => !sharedTables.includes(String(table)));
		for (const table of own) expect(table).toMatch(new RegExp(`\\(example ${number}\\)$`));
	});
});
