import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { ahead } from '../support/workflow/ahead';
import { onErrors } from '../support/workflow/onErrors';
import { runAgainst } from '../support/workflow/runAgainst';
import { allItems, mapped, onlyOne, sendNodes, wantedMessages } from '../support/workflow/sending';
import { processorMs } from '../support/unit/processorTime';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(sendNodes)('the limits of $type', ({ type, path }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (options: object, items: IDataObject[] = wantedMessages(5), more = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items, ...more });
	const sentTo = () => sandbox.messages().map(({ to }) => to);
	const goesOn = { onError: 'continueRegularOutput' } as const;

	describe('Max Messages', () => {
		test.each(onErrors)('sends nothing with %s when the run would send more', async (onError) => {
			const items = [...wantedMessages(3), { to: '09779101004, 09779101005', message: 'Hello' }];
			const result = await send({ maxMessages: 4 }, items, { settings: { onError } });
			const words = 'The run has 5 messages, but Max Messages is 4';
			expect(sandbox.requests().map((request) => request.path)).toEqual([]);
			if (onError === 'stopWorkflow') expect(result.error?.message).toContain(words);
			else
				expect(allItems(result).map(({ error }) => error)).toEqual(
					Array(4).fill(expect.stringContaining(words)),
				);
		});

		test.each([5, 0, '5'])('sends as many as are allowed (%j)', async (maxMessages) => {
			expect((await send({ maxMessages })).json).toHaveLength(5);
			expect(sentTo()).toHaveLength(5);
		});

		test('does not count those who are skipped', async () => {
			const items = [...wantedMessages(3), ...wantedMessages(2)];
			const options = { maxMessages: 2, doNotSendTo: '09779101001' };
			expect((await send(options, items)).json).toHaveLength(5);
			expect(sentTo()).toHaveLength(2);
			const { error } = await send({ ...options, skipDuplicates: false }, items);
			expect(error?.message).toContain('The run has 3 messages');
			expect(error?.description).toContain('Check where the recipients come from');
		});

		test('returns what was accepted before, names duplicates, and fails each other item once', async () => {
			const [first, second, third] = wantedMessages(3);
			const items = [first, first, { ...second, to: `${second.to}, ${third.to}` }];
			const options = onlyOne(type);
			sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1, count: 1 });
			const { run: retryOf } = await send({ ...options, maxMessages: 3 }, items);
			const more = { settings: goesOn, retryOf };
			const { json } = await send({ ...options, maxMessages: 2 }, items, more);
			expect(json).toEqual([
				expect.objectContaining({ messageId: sandbox.messages()[0].messageId }),
				expect.objectContaining({ skipped: 'duplicate', duplicateOf: 'item 1' }),
				expect.objectContaining({ error: expect.stringContaining('Max Messages is 2') }),
			]);
			expect(sandbox.messages()).toHaveLength(1);
		});
	});

	describe('Skip Duplicates', () => {
		const spellings = ['09791234567', '959791234567', '+95 9 791 234 567', '၀၉၇၉၁၂၃၄၅၆၇'];
		const items = spellings.map((to) => ({ to, message: 'Open on Sunday' }));

		test('sends a text to a number once, however the number is written', async () => {
			const both = { to: '+6591234567, 09791234567', message: 'Open on  Sunday' };
			const { outputs, hints } = await send({}, [...items, both]);
			const told = outputs[0].map(({ json, pairedItem }) => [json.skipped ?? json.to, pairedItem]);
			expect(told).toEqual([
				['959791234567', { item: 0 }],
				...[1, 2, 3].map((item) => ['duplicate', { item }]),
				['6591234567', { item: 4 }],
				['duplicate', { item: 4 }],
			]);
			const duplicate = { result: 'duplicate', skipped: 'duplicate', duplicateOf: 'item 1' };
			expect(outputs[0][1].json).toEqual({ to: '959791234567', ...duplicate });
			expect(hints).toEqual(['2 sent (2 parts), 4 skipped (duplicates: 4).']);
			expect(sentTo()).toEqual(['959791234567', '6591234567']);
		});

		test('sends two texts to two people with one phone, and a dry run counts such phones', async () => {
			const family = ['Aye', 'Ko', 'Aye'].map((name) => ({ ...items[0], message: `Dear ${name}` }));
			const { hints } = await send({ dryRun: true }, family);
			expect(hints.join()).toContain('Duplicates: 1. ');
			const { json } = await send({}, family);
			expect(json.map(({ skipped }) => skipped)).toEqual([undefined, undefined, 'duplicate']);
			expect(sandbox.messages().map(({ message }) => message)).toEqual(['Dear Aye', 'Dear Ko']);
		});

		test('sends equal messages of other sender IDs, times and references, or all if it is off', async () => {
			const rows = ['Shop', 'Cafe', 'Shop'].map((from, n) => ({
				...{ ...items[0], from, row_number: n + 2 },
				...{ at: `${ahead}T0${n}:30`, ref: `visit-${n}` },
			}));
			const from = '={{ $json.from }}';
			const run2 = async (options: object) =>
				(await run({ ...mapped, from, ...inCollections(options) }, { items: rows })).json.map(
					({ duplicateOf, status }) => duplicateOf ?? status,
				);
			expect(await run2({})).toEqual(['Accepted', 'Accepted', 'row 2']);
			expect(await run2({ skipDuplicates: false })).toEqual(Array(3).fill('Accepted'));
			if (type === 'SmsBulkSend') return;
			for (const option of [
				{ scheduledAt: '={{ $json.at }}' },
				{ clientReference: '={{ $json.ref }}' },
				{ test: "={{ $json.ref === 'visit-0' }}" },
			])
				expect(await run2(option)).toEqual(Array(3).fill('Accepted'));
		});

		test('leaves the number to the next item when the first is rejected before it is sent', async () => {
			const wrong = { to: '09791234567', message: '' };
			const more = { settings: goesOn };
			const { json } = await send({}, [wrong, ...items], more);
			expect(json.map(({ error, skipped }) => skipped ?? typeof error)).toEqual([
				...['string', 'undefined', 'duplicate', 'duplicate', 'duplicate'],
			]);
			expect(sentTo()).toHaveLength(1);
		});
	});

	describe('Do Not Send To', () => {
		const off = ['09779101001', 959779101002];
		const items = wantedMessages(3).map((item) => ({ ...item, off }));

		test.each([
			['a text', '09779101001\n+959779101002'],
			['a list from an expression', '={{ $json.off }}'],
			['a list over all items', '={{ $input.all().slice(1).map((row) => row.json.to) }}'],
		])('sends nothing to the numbers of %s', async (_, doNotSendTo) => {
			const { json } = await send({ doNotSendTo }, items);
			expect(json.map(({ skipped }) => skipped)).toEqual([undefined, 'optedOut', 'optedOut']);
			expect(json[1]).toEqual({ to: '959779101001', result: 'optedOut', skipped: 'optedOut' });
			expect(sentTo()).toEqual(['959779101000']);
		});

		test.each(['={{ [] }}', "={{ [].join(',') }}", ''])(
			'skips nobody while the list is empty: %j',
			async (doNotSendTo) => {
				expect((await send({ doNotSendTo }, items)).json).toHaveLength(3);
				expect(sentTo()).toHaveLength(3);
			},
		);

		test.each([
			["={{ ['09779101001', 'nobody', '', '9.59779E+11'] }}", '"nobody", "9.59779E+11"'],
			['={{ $input.all().map((row) => row.json.renamed) }}', 'only empty entries'],
			['={{ $json.missing }}', 'no item has the field missing'],
		])('stops the run before anything is sent: %j', async (doNotSendTo, words) => {
			expect((await send({ doNotSendTo }, items)).error?.message).toContain(words);
			expect(sandbox.requests().map((request) => request.path)).toEqual([]);
		});

		test('returns in a retry by hand what was accepted, even if its number is listed now', async () => {
			sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1 });
			const options = onlyOne(type);
			const { run: retryOf } = await send({ ...options, doNotSendTo: [] }, items);
			expect(sandbox.messages().length).toBe(1);
			sandbox.clearFaults();
			const doNotSendTo = [items[0].to, items[1].to];
			const { json } = await send({ ...options, doNotSendTo }, items, { retryOf });
			const [first, second] = sandbox.messages().map(({ messageId }) => messageId);
			expect(json.map(({ messageId, skipped }) => messageId ?? skipped)).toEqual([
				...[first, 'optedOut', second],
			]);
		});
	});

	test('odd numbers and texts are named in a dry run, and sent all the same', async () => {
		const zawgyi = 'ေမာင္ေမာင္ ေနေကာင္းလား';
		const burmese = 'မင်္ဂလာ\u200Bပါ ခင်ဗျာ';
		const items = [
			{ to: '0979123453 Ma Aye', message: zawgyi },
			{ to: '٠٩٧٩١٢٣٤٥٦٧', message: burmese },
			{ to: '09779101001', message: 'a\u200Bb' },
		];
		const rows = await send({ dryRun: true }, items);
		expect(rows.json.map(({ warnings }) => warnings)).toEqual([
			[
				'The number has 1 digit fewer than numbers of this network.',
				expect.stringMatching(/^The text looks like Zawgyi\./),
			],
			['The number is written in other digits: check how it was read.'],
			[],
		]);
		const { json } = await send({}, items);
		expect(json).toHaveLength(3);
		expect(sandbox.messages().map(({ message }) => message)).toEqual([
			...[zawgyi, burmese.replace('\u200B', ''), 'a\u200Bb'],
		]);
	});

	test.each([
		[{ skipDuplicates: 'yes' }, 'Skip Duplicates must be on or off, but is "yes"'],
		[{ dryRun: '={{ $json.missing }}' }, 'Dry Run: no item has the field missing'],
		[{ allowedCountryCodes: 'MM' }, 'is not a country code'],
		[{ dryRun: true, pricePerPart: 'dear' }, 'Price per Part must be a number'],
		[{ doNotSendTo: ',,' }, 'Do Not Send To has only empty entries: no opt-outs were read'],
		[{ whenOutcomeUnknown: 'guess' }, '"guess" is not valid for When the Outcome Is Unknown'],
	])('%j is rejected before anything is sent', async (options, words) => {
		expect((await send(options)).error?.message).toContain(words);
		expect(sandbox.requests().map((request) => request.path)).toEqual([]);
	});
});

describe('Do Not Send To with 100,000 numbers', () => {
	const sandbox = useSandbox({ balance: 1e9, maxMessagesKept: 1_000_000 });
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const numbers = Array.from({ length: 100_000 }, (_, n) => `0978${String(1_000_000 + n)}`);
	const items = Array.from({ length: 2_000 }, (_, n) => ({
		...{ to: `0979${String(1_000_000 + n)}`, message: 'Hello', off: numbers },
	}));

	test.each([
		['a text', numbers.join('\n')],
		['an expression', '={{ $json.off }}'],
	])(
		'as %s adds less than a second to 2,000 items',
		async (_, doNotSendTo) => {
			const measure = async (options: object) => {
				return await processorMs(async () => {
					const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
					expect(json).toHaveLength(items.length);
				});
			};
			await measure({});
			const without = await measure({});
			// The faster of two: other tests of this machine take its cache.
			const both = [await measure({ doNotSendTo }), await measure({ doNotSendTo })];
			expect(Math.min(...both) - without).toBeLessThan(1000);
		},
		60_000,
	);
});
