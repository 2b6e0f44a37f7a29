import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const text = 'Hello <b>Aye</b>';
const numberOf = (n: number) => `9597910${String(10_000 + n)}`;
const list: IDataObject[] = [
	{ row: 5, to: numberOf(1), name: '<i>Aye', message: text },
	{ row: 6, to: numberOf(1), name: 'Aye', message: text },
	{ row: 7, to: numberOf(2), name: 'Bo', message: 'Out' },
	...Array.from({ length: 12 }, (_, n) => ({
		...{ row: 8 + n, to: `0${n}`, name: `Mg ${n}`, message: 'Short' },
	})),
	{ row: 20, to: '+6591234567', name: 'Su', message: 'Abroad' },
];
const options = { skipDuplicates: true, doNotSendTo: numberOf(2), pricePerPart: 40 };

describe.each(['SmsSend', 'SmsBulkSend'] as const)('the summary of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const summarize = async (given: object, settings = {}, items = list, more = {}) => {
		const options = inCollections({ output: 'summary', ...given });
		const parameters = { ...mapped, ...options, ...more };
		const result = await run(parameters, { items, settings });
		return { ...result, summary: (result.outputs.flat()[0]?.json ?? {}) as Record<string, never> };
	};
	const go = { onError: 'continueRegularOutput' as const };

	test('is one item of a dry run: counts, cost, lists by cause, and a page', async () => {
		sandbox.configure({ balance: 50 });
		const { outputs, summary, hints } = await summarize({ dryRun: true, ...options }, go);
		expect(outputs[0]).toHaveLength(1);
		expect(hints).toEqual([]);
		expect(summary).toMatchObject({
			...{ title: '2 messages to send', dryRun: true, items: 16, messages: 2, alreadySent: 0 },
			...{ duplicates: 1, optedOut: 1, wrong: 12, notSent: 0, unknown: 0, parts: 2, cost: 80 },
			...{ balance: 50, currency: 'MMK', short: 30, from: 'MyShop' },
			first: { to: numberOf(1), message: text },
		});
		expect(summary).not.toHaveProperty('error');
		expect(summary.text).toContain('Opt-outs: 1 person');
		expect(summary.text).toContain('Sender: MyShop');
		expect(summary.text).toContain('Cost: 80 MMK (40 MMK per part, and other prices abroad (1))');
		expect(summary.text).toContain('Balance: 50 MMK: 30 MMK short');
		expect(summary.text).toMatch(
			/\nWrong in the list, not sent \(12\)\n- 12: The number .+\n {2}Row 8 \(Mg 0, 00\), .+Row 17 \(Mg 9, 09\) and 2 more/,
		);
		expect(summary.text).toContain('sent once (1)\n  Row 6 (Aye, 9597910');
		expect(summary.html).toContain('<b>Hello &lt;b&gt;Aye&lt;/b&gt;</b>');
		expect(summary.html).not.toMatch(/<i>|<b>Aye/);
		expect(Object.keys(sandbox.stats().byPath)).toEqual(['/api/rest/account/get-balance']);
	});

	test('counts 0 to send where one wrong item stops the run, and says that opt-outs were not checked', async () => {
		const { summary } = await summarize({ dryRun: true });
		expect(summary).toMatchObject({ title: 'Nothing can be sent yet', messages: 0, wrong: 12 });
		expect(summary.stop).toMatch(/^12 items are wrong \(of 16\)\. Until they are corrected/);
		expect(summary.html).toContain('<p><b>12 items are wrong');
		expect(summary.text).toContain('Opt-outs: not checked');
		const none = await summarize({ dryRun: true, doNotSendTo: '={{ [] }}' });
		expect(none.summary.text).toContain('Opt-outs: 0 people');
	});

	test('of a real run has true counts, and the error that Retry On Fail and On Error look at', async () => {
		const { outputs, summary, hints } = await summarize(options, go);
		expect(outputs[0]).toHaveLength(1);
		expect(summary).toMatchObject({
			...{ title: '2 accepted, 12 not sent, 0 unknown', messages: 2, wrong: 12, duplicates: 1 },
			error: expect.stringContaining('(row 8)'),
		});
		expect(hints.at(-1)).toContain('2 sent');
		expect(sandbox.messages()).toHaveLength(2);
		const { error } = await summarize(options);
		expect(error?.message).toMatch(/^12 of 16 items cannot be sent/);
		expect(sandbox.messages()).toHaveLength(2);
	});

	test('stays on the first output, while failed items go to the error output', async () => {
		const { outputs } = await summarize(options, { onError: 'continueErrorOutput' });
		expect(outputs.map((all) => all.length)).toEqual([1, 12]);
		expect(outputs[0][0].json).not.toHaveProperty('error');
		expect(outputs[1][0].json).toMatchObject({ result: 'notSent', name: 'Mg 0' });
	});

	test('says what failed before anything was read, such as an entry of the opt-outs', async () => {
		const { outputs, summary } = await summarize({ doNotSendTo: 'Dr. X' }, go);
		expect(outputs[0]).toHaveLength(1);
		expect(summary).toMatchObject({ title: 'Nothing was sent', messages: 0, notSent: 16 });
		expect(summary.text).toMatch(
			/16: Do Not Send To contains entries that are not phone.+"Dr\. X".*\n {2}Row 5 \(<i>Aye, 9597910/,
		);
		expect(sandbox.messages()).toEqual([]);
	});

	test('tells warnings by kind, and the fields that there are', async () => {
		const rows = Array.from({ length: 40 }, (_, n) => ({ to: `97910${10_000 + n}`, message: 'a' }));
		const { summary } = await summarize({ dryRun: true }, {}, rows);
		expect(summary.text).toContain('Please look at these messages (40)\n- 40: The number has no 0');
		expect(summary.text).toContain('and 30 more');
		const message = '=Hello {{ $json.Doctor }}';
		const items = [{ to: numberOf(1), 'ဆရာဝန် Doctor': 'Aung' }];
		const { summary: told } = await summarize({ dryRun: true }, go, items, { message });
		expect(told.text).toContain('no item has the field Doctor; they have to, ဆရာဝန် Doctor');
	});

	test('has the days of what was sent before', async () => {
		// Each row has a reference of its own, so that none is a duplicate.
		const [more, sent, span] =
			type === 'SmsSend'
				? [{ clientReference: '=a-{{ $json.row }}' }, 3, '']
				: [{ lookBackHours: 144 }, 2, ' in the last 6 days'];
		const own = { ...options, ...more, skipIfAlreadySent: true };
		await summarize(own, go);
		const { summary } = await summarize(own, go);
		const title = `0 accepted, ${sent} already sent, 12 not sent, 0 unknown`;
		expect(summary).toMatchObject({ title, alreadySent: sent, messages: 0 });
		const { summary: dry } = await summarize({ ...own, dryRun: true }, go);
		expect(dry).toMatchObject({ title: expect.stringMatching(/^Nothing new/), alreadySent: sent });
		const told = `Already sent${span}, not sent again (${sent})\n- ${sent}: sent on 20`;
		expect(dry.text).toContain(told);
	});

	test('is left out, as results are, where an agent uses the node', async () => {
		const items = [{ to: numberOf(1), name: 'Aye', message: 'a' }];
		const parameters = { ...mapped, ...inCollections({ output: 'summary' }) };
		const { json } = await runAgainst(sandbox, `${type}Tool` as never)(parameters, { items });
		expect(json[0]).toMatchObject({ status: 'Accepted' });
		expect(Object.keys(json[0])).not.toEqual(expect.arrayContaining(['result']));
	});
});
