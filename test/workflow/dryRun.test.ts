import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { ahead } from '../support/workflow/ahead';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { onErrors } from '../support/workflow/onErrors';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const [first, second] = wantedMessages(2);
const rows = [
	first,
	first,
	{ to: '09779101009', message: 'Out' },
	{ to: '+6591234567', message: 'Don’t' },
	{ to: 'nobody, 09779101010', message: 'Wrong' },
	second,
];

describe.each(['SmsSend', 'SmsBulkSend'] as const)('a dry run of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const rehearse = async (options: object, items: IDataObject[] = rows, settings = {}) =>
		await run({ ...mapped, ...inCollections({ dryRun: true, ...options }) }, { items, settings });
	const paths = () => Object.keys(sandbox.stats().byPath);

	test.each(onErrors)('reports with %s the outcome for each recipient', async (onError) => {
		const options = { doNotSendTo: '09779101009' };
		const { outputs, hints } = await rehearse(options, rows, { onError });
		const usual = {
			...{ dryRun: true, encoding: 'GSM-7', parts: 1, from: 'MyShop' },
			warnings: [],
		};
		const sent = { ...usual, wouldSend: true, result: 'toSend' };
		const skipped = (word: string) => ({
			...{ ...usual, wouldSend: false, skipped: word, result: word },
			...(word === 'duplicate' && { duplicateOf: 'item 1' }),
			reason: expect.stringMatching(
				/^(Skip Duplicates: another item has this number and message|Do Not Send To has this number)$/,
			),
		});
		const refused = {
			...{ dryRun: true, wouldSend: false, result: 'notSent' },
			reason: expect.stringMatching(/^To is not a phone number: "nobody"\. /),
			details: expect.objectContaining({
				...{ kind: 'input', field: 'to', reason: 'To is not a phone number: "nobody"' },
			}),
			warnings: [],
		};
		const isMoved = onError === 'continueErrorOutput';
		const isStopped = onError === 'stopWorkflow';
		const other = { to: '959779101010', ...sent, message: 'Wrong' };
		const wrong = [
			[{ to: 'nobody', ...refused }, { item: 4 }],
			...(isStopped ? [[{ to: '09779101010', ...refused }, { item: 4 }]] : []),
		];
		expect(outputs[0].map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ to: first.to, ...sent, message: first.message }, { item: 0 }],
			[{ to: first.to, ...skipped('duplicate'), message: first.message }, { item: 1 }],
			[{ to: '959779101009', ...skipped('optedOut'), message: 'Out' }, { item: 2 }],
			[{ to: '+6591234567', ...sent, encoding: 'UCS-2', message: 'Don’t' }, { item: 3 }],
			...(isMoved ? [] : wrong),
			...(isStopped ? [] : [[other, { item: 4 }]]),
			[{ to: second.to, ...sent, message: second.message }, { item: 5 }],
		]);
		expect(outputs.slice(1).flat()).toHaveLength(isMoved ? 1 : 0);
		const stop = '1 item is wrong (of 6). Until it is corrected, nothing is sent';
		expect(hints.at(-1)?.includes(stop)).toBe(isStopped);
		const counts = isStopped
			? 'To send: 3 (parts: 3). 2 wrong: item 5.'
			: 'To send: 4 (parts: 4). 1 wrong: item 5.';
		expect(hints.at(-1)).toContain(counts);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('lists items in their order, names the wrong ones, each counted once, and says what they stop', async () => {
		const wrong = [{ message: 'No number' }, { to: 'nobody, 09779101010' }, first];
		const { json, hints } = await rehearse({ from: 'MyShop' }, wrong);
		expect(json.map(({ to }) => to)).toEqual([undefined, 'nobody', '09779101010', first.to]);
		expect(hints.at(-1)).toContain('3 wrong: items 1, 2.');
		expect(hints.at(-1)).toContain('2 items are wrong (of 3). Until they are corrected, nothing');
		expect(hints.at(-1)).toMatch(/Already sent: 0\. Enter Price per Part to see the cost\.$/);
	});

	test('returns the totals in its last hint, with the cost and whether the balance is enough', async () => {
		sandbox.configure({ balance: 100 });
		const items = [
			{ ...first, message: 'a'.repeat(161) },
			{ to: '+6591234567', message: 'b' },
		];
		const { hints, json } = await rehearse({ pricePerPart: 40 }, items);
		expect(json.map(({ cost }) => cost)).toEqual([80, 40]);
		expect(hints).toHaveLength(1);
		expect(hints[0]).toContain('Recipients: 2. To send: 2 (parts: 3). 0 wrong. Duplicates: 0.');
		expect(hints[0]).toMatch(
			/Already sent: 0\. Cost at 40 MMK per part: 120 MMK\. Your balance of 100 MMK is 20 MMK short\. Prices in other countries differ \(recipients: 1\)\./,
		);
		expect(paths()).toEqual(['/api/rest/account/get-balance']);
		expect((await rehearse({ pricePerPart: '33' }, items)).hints[0]).toContain(
			'Your balance of 100 MMK is sufficient',
		);
	});

	test('shows first what people read, without the remedy of each fault', async () => {
		const items = [
			{ ...first, name: 'Aye' },
			{ to: 'nobody', name: 'Bo', message: 'Wrong' },
		];
		const { json } = await rehearse({}, items);
		expect(json.map((row) => Object.keys(row).slice(0, 5))).toEqual([
			['to', 'name', 'result', 'message', 'parts'],
			['to', 'name', 'result', 'wouldSend', 'reason'],
		]);
		const reason = 'To is not a phone number: "nobody"';
		expect(json[1].details).toEqual({ kind: 'input', field: 'to', itemIndex: 1, reason });
	});

	test('warns where all items read one row of a list, and not where the node returned one', async () => {
		const warn = async (message: string, items = [first, second]) =>
			(await run({ ...mapped, message, dryRun: true }, { items })).json.map(
				({ warnings }) => warnings,
			);
		const said =
			"Message reads $('Source').first() for all items, but that node returned 2 items. Use $('Source').item.";
		expect(await warn("=Dear {{ $('Source').first().json.to }}")).toEqual([[said], [said]]);
		expect(await warn("=Dear {{ $('Source').item.json.to }}")).toEqual([[], []]);
		expect(await warn("=Dear {{ $('Source').first().json.to }}", [first])).toEqual([[]]);
	});

	test('names a day and a time as Excel stores them, with what would show them', async () => {
		const near = Math.floor(Date.now() / 86_400_000) + 25_569 + 20;
		const serial = near % 500 === 0 ? near + 1 : near;
		const items = [{ ...wantedMessages(1)[0], day: serial, time: 0.375, amount: 45_000 }];
		const day = new Date((serial - 25_569) * 86_400_000).getUTCDate();
		const rehearseWith = async (message: string) =>
			(await run({ ...mapped, message, dryRun: true }, { items })).json[0];
		const { warnings } = await rehearseWith('=On {{ $json.day }}: {{ $json.amount }} MMK');
		const [warning, ...others] = warnings as string[];
		expect(others).toEqual([]);
		expect(warning).toMatch(new RegExp(`: ${serial} = ${day} [A-Z]`));
		expect(await rehearseWith('=At {{ $json.time }}')).toMatchObject({
			warnings: [expect.stringContaining('0.375 = 09:00.')],
		});
		const [, remedy] = /Use (\{\{.*?\}\}), with/.exec(warning) ?? [];
		const mended = await rehearseWith(`=On ${remedy}`);
		expect(mended).toMatchObject({
			message: expect.stringMatching(`^On ${day} [A-Z]`),
			warnings: [],
		});
	});

	test('rejects all rows that Max Messages would reject', async () => {
		const items = [first, first, second];
		const { json, hints } = await rehearse({ maxMessages: 1 }, items);
		const words = 'The run has 2 messages, but Max Messages is 1';
		expect(json.map(({ reason, skipped }) => skipped ?? reason)).toEqual([
			expect.stringContaining(words),
			'duplicate',
			expect.stringContaining(words),
		]);
		expect(json[0].details).toMatchObject({ kind: 'input', field: 'maxMessages' });
		expect(hints.at(-1)).toContain(
			`Nothing would be sent: ${words}. Recipients: 3. To send: 0 (parts: 0). Held back: 2 (parts: 2). 0 wrong. `,
		);
	});

	test('leaves nothing behind: the run after it sends', async () => {
		await rehearse({}, [first]);
		const { json } = await rehearse({ dryRun: false }, [first]);
		expect(json[0].status).toBe('Accepted');
	});

	test('reads history for what was already sent', async () => {
		const reference = type === 'SmsSend' ? { clientReference: '={{ $json.ref }}' } : {};
		const options = { dryRun: false, ...reference };
		const items = [first, second].map((item, index) => ({ ...item, ref: `order-${index}` }));
		await rehearse(options, items.slice(0, 1));
		const again = { ...reference, skipIfAlreadySent: true };
		const { json } = await rehearse(again, items);
		expect(json.map(({ skipped }) => skipped)).toEqual(['alreadySent', undefined]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('says of each row why history could not be asked', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const reference = type === 'SmsSend' ? { clientReference: 'order' } : {};
		const { json, hints } = await rehearse({ ...reference, skipIfAlreadySent: true }, [first]);
		expect(json[0]).toMatchObject({ wouldSend: false, reason: expect.stringContaining('403') });
		expect(hints.at(-1)).toContain('To send: 0 (parts: 0). 1 wrong: item 1.');
	});
});

describe('a dry run of SMS Send alone', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsSend');

	test('shows the schedule, and no text that is to be encrypted', async () => {
		const options = {
			...{ dryRun: true, encrypt: true, clientReference: 'order-1' },
			...{ scheduledAt: `${ahead}T09:00`, scheduledAtTimeZone: 'UTC' },
		};
		const { json } = await run({ ...mapped, ...inCollections(options) }, { items: [first] });
		expect(json[0]).toMatchObject({
			...{ clientReference: 'order-1', scheduledAt: `${ahead} 15:30:00` },
			scheduledAtUtc: `${ahead}T09:00:00.000Z`,
		});
		expect(json[0]).not.toHaveProperty('message');
	});

	test('takes a reference of several recipients for no proof, as the run itself does', async () => {
		const reference = { clientReference: 'order-1', skipIfAlreadySent: true };
		sandbox.configure({ deviate: ['history-number:masked'] });
		sandbox.seedMessages(1, () => ({ ...first, clientReference: 'order-1', from: 'MyShop' }));
		const items = [{ ...first, to: `${first.to}, ${second.to}` }];
		const settings = { onError: 'continueRegularOutput' as const };
		const reasonsWith = async (dryRun: boolean) => {
			const given = { ...mapped, ...inCollections({ ...reference, dryRun }) };
			const { json } = await run(given, { items, settings });
			return json.map(({ reason, error }) => reason ?? error);
		};
		const uncertain = Array(2).fill(
			expect.stringMatching(/may be this one, sent earlier.*Give each its own/),
		);
		expect(await reasonsWith(true)).toEqual(uncertain);
		expect(await reasonsWith(false)).toEqual(uncertain);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('sends nothing whose outcome is unknown, and whose item is wrong by now', async () => {
		const given = { credentials: credentialsOf(sandbox), items: [first] };
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 503 } });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const { run: failed } = await runNode({ type: 'SmsSend', parameters: mapped }, given);
		const options = { dryRun: true, maxParts: 1 };
		const parameters = { ...mapped, message: 'x'.repeat(161), ...inCollections(options) };
		const retry = await runNode({ type: 'SmsSend', parameters }, { ...given, retryOf: failed });
		expect(retry.json).toMatchObject([{ wouldSend: false, details: { kind: 'outcomeUnknown' } }]);
		expect(retry.hints.at(-1)).toContain('Recipients: 1. To send: 0 (parts: 0). 1 wrong: item 1.');
	});

	test('reports the second of two with one reference and number as already sent', async () => {
		const options = {
			...{ dryRun: true, skipDuplicates: false },
			...{ skipIfAlreadySent: true, clientReference: 'order-1' },
		};
		const { json } = await run({ ...mapped, ...inCollections(options) }, { items: [first, first] });
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, 'alreadySent']);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});
