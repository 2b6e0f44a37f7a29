import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { allItems, mapped, wantedMessages } from '../support/workflow/sending';
import { onErrors } from '../support/workflow/onErrors';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** A window that is closed now: it opens in three days, for a day. */
function closedWindow(): IDataObject {
	const opensOn = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en-US', {
		weekday: 'long',
		timeZone: 'UTC',
	});
	const window = { days: [opensOn.toLowerCase()], from: '00:00', until: '24:00', timeZone: 'UTC' };
	return { window };
}

const alwaysOpen = {
	window: {
		days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
		...{ from: '00:00', until: '24:00', timeZone: 'UTC' },
	},
};

describe.each(['SmsSend', 'SmsBulkSend'] as const)('the safeguards of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (options: object, items: IDataObject[] = wantedMessages(3), settings = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items, settings });
	const sentTo = () => sandbox.messages().map(({ to }) => to);

	describe('Skip Duplicates', () => {
		const spellings = ['09791234567', '959791234567', '+95 9 791 234 567', '၀၉၇၉၁၂၃၄၅၆၇'];
		const items = spellings.map((to, index) => ({ to, message: `Text ${index}` }));

		test('sends one message to a number, however it is written and whatever the text', async () => {
			const { outputs } = await send({ skipDuplicates: true }, [
				...items,
				{ to: '+6591234567, 09791234567', message: 'Both' },
			]);
			const skipped = { to: '959791234567', skipped: 'duplicate' };
			expect(
				outputs[0].map(({ json, pairedItem }) => [json.skipped ?? json.to, pairedItem]),
			).toEqual([
				['959791234567', { item: 0 }],
				...[1, 2, 3].map((item) => ['duplicate', { item }]),
				['6591234567', { item: 4 }],
				['duplicate', { item: 4 }],
			]);
			expect(outputs[0][1].json).toEqual(skipped);
			expect(sentTo()).toEqual(['959791234567', '6591234567']);
		});

		test('leaves the number to the next item when the first is refused before it is sent', async () => {
			const wrong = { to: '09791234567', message: '' };
			const { json } = await send({ skipDuplicates: true }, [wrong, ...items], {
				onError: 'continueRegularOutput',
			});
			expect(json.map(({ error, skipped }) => skipped ?? typeof error)).toEqual([
				...['string', 'undefined', 'duplicate', 'duplicate', 'duplicate'],
			]);
			expect(sentTo()).toHaveLength(1);
		});

		test('keeps the first over Retry On Fail', async () => {
			sandbox.addFault({ match: { contains: 'Other' }, effect: { status: 401 }, count: 1 });
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
			const two = [items[0], items[1], { to: '09791234568', message: 'Other' }];
			const options = { skipDuplicates: true, parallelRequests: 1, recipientsPerRequest: 1 };
			const { recipientsPerRequest, ...ofSend } = options;
			const { json } = await send(
				type === 'SmsSend' ? ofSend : { ...ofSend, recipientsPerRequest },
				two,
				settings,
			);
			expect(json.map(({ skipped, message }) => skipped ?? message)).toEqual([
				...['Text 0', 'duplicate', 'Other'],
			]);
			expect(sentTo().sort()).toEqual(['959791234567', '959791234568']);
		});
	});

	describe('Do Not Send To', () => {
		const items = wantedMessages(3).map((item) => ({
			...item,
			off: ['09779101001', 959779101002],
		}));

		test.each([
			['a text', '09779101001\n+959779101002'],
			['a list from an expression', '={{ $json.off }}'],
			['a list over all items', '={{ $input.all().slice(1).map((row) => row.json.to) }}'],
		])('sends nothing to the numbers of %s', async (_, doNotSendTo) => {
			const { json } = await send({ doNotSendTo }, items);
			expect(json.map(({ skipped }) => skipped)).toEqual([undefined, 'optedOut', 'optedOut']);
			expect(json[1]).toEqual({ to: '959779101001', skipped: 'optedOut' });
			expect(sentTo()).toEqual(['959779101000']);
		});

		test('holds nobody while the list of an expression is empty', async () => {
			expect((await send({ doNotSendTo: '={{ [] }}' }, items)).json).toHaveLength(3);
			expect(sentTo()).toHaveLength(3);
		});

		test('knows numbers abroad without a +', async () => {
			const { json } = await send({ doNotSendTo: '6591234567' }, [
				{ to: '+6591234567', message: 'Hi' },
			]);
			expect(json).toEqual([{ to: '+6591234567', skipped: 'optedOut' }]);
			expect(sandbox.requests()).toEqual([]);
		});

		test.each(onErrors)('sends nothing with %s when an entry is no number', async (onError) => {
			const result = await send({ doNotSendTo: '09779101001, 0977' }, items, { onError });
			const words = 'Do Not Send To is too short for a mobile number: "0977"';
			if (onError === 'stopWorkflow') expect(result.error?.message).toContain(words);
			else
				expect(allItems(result).map(({ error }) => error)).toEqual(
					Array(3).fill(expect.stringContaining(words)),
				);
			expect(sandbox.requests()).toEqual([]);
		});
	});

	test('Max Messages does not count those who are skipped', async () => {
		const items = [...wantedMessages(3), ...wantedMessages(2)];
		const options = { maxMessages: 2, skipDuplicates: true, doNotSendTo: '09779101001' };
		expect((await send(options, items)).json).toHaveLength(5);
		expect(sentTo()).toHaveLength(2);
		const { error } = await send({ maxMessages: 2, doNotSendTo: '09779101001' }, items);
		expect(error?.message).toContain('The run has 3 messages');
	});

	test.each([
		['allowedCountryCodes', '95', 'country that is not allowed: "+6591234567"'],
		['maxRecipients', 1, 'To has 2 recipients, but Max Recipients per Item is 1'],
	])('%s refuses an item as a whole', async (name, value, words) => {
		const items = [...wantedMessages(1), { to: '09779101009, +6591234567', message: 'Two' }];
		const settings = { onError: 'continueRegularOutput' };
		const { json } = await send({ [name]: value }, items, settings);
		expect(json[1].error).toContain(words);
		expect(sentTo()).toEqual(['959779101000']);
	});

	test('Allowed Country Codes names whose numbers may lack the +', async () => {
		const items = [{ to: '6591234567', message: 'Hello' }];
		expect((await send({}, items)).error?.message).toContain(
			'To has digits that are not a number in Myanmar: "6591234567"',
		);
		expect(sandbox.requests()).toEqual([]);
		await send({ allowedCountryCodes: '95, 65' }, items);
		expect(sentTo()).toEqual(['6591234567']);
	});

	test('Replace Typographic Characters sends, and shows, the plain text', async () => {
		const message = `Don’t wait…${' and so on'.repeat(10)}`;
		const { json } = await send({ replaceTypography: true }, [{ to: '09779101001', message }]);
		const plain = message.replace('’', "'").replace('…', '...');
		expect(json[0]).toMatchObject({ message: plain, messageCount: 1 });
		const { json: asWritten, hints } = await send({}, [{ to: '09779101001', message }]);
		expect(asWritten[0]).toMatchObject({ message, messageCount: 2 });
		expect(hints.join()).toContain('’ (U+2019, curly quote), … (U+2026, ellipsis)');
	});

	test.each([
		[{ skipDuplicates: 'yes' }, 'Skip Duplicates must be on or off, but is "yes"'],
		[{ dryRun: '={{ $json.missing }}' }, 'The expression in Dry Run returned no value'],
		[{ replaceTypography: '' }, 'Replace Typographic Characters is empty'],
		[{ skipIfAlreadySent: 'yes' }, 'Skip If Already Sent must be on or off, but is "yes"'],
		[{ maxRecipients: -1 }, 'Max Recipients per Item must be from 0'],
		[
			{ allowedCountryCodes: 'MM' },
			'Allowed Country Codes has an entry that is not a country code',
		],
		[{ dryRun: true, pricePerPart: 'dear' }, 'Price per Part must be a number'],
		[{ maxRecipients: '' }, 'Max Recipients per Item is empty'],
		[{ maxParts: '={{ $json.missing }}' }, 'The expression in Max Parts returned no value'],
		[{ allowedCountryCodes: ' ' }, 'Allowed Country Codes is empty'],
		[{ allowedCountryCodes: [] }, 'Allowed Country Codes is empty'],
		[{ doNotSendTo: '' }, 'Do Not Send To is empty'],
		[{ doNotSendTo: '={{ $json.missing }}' }, 'The expression in Do Not Send To returned no value'],
		[
			{ doNotSendTo: ['09779101001', ''] },
			'Do Not Send To has an entry that is not a phone number: ""',
		],
		[{ dryRun: true, pricePerPart: '' }, 'Price per Part is empty'],
		[{ whenOutcomeUnknown: 'guess' }, '"guess" is not valid for When the Outcome Is Unknown'],
		[{ sendWindow: {} }, 'Send Window is empty'],
		[{ sendWindow: '={{ $json.missing }}' }, 'Send Window is empty'],
		[{ sendWindow: { window: { from: 'nine' } } }, 'Send Window has an invalid time in From'],
	])('%j is refused before anything is sent', async (options, words) => {
		const { error } = await send(options);
		expect(error?.message).toContain(words);
		expect(sandbox.requests()).toEqual([]);
	});

	test('a Send Window that is open changes nothing', async () => {
		const { json } = await send({ sendWindow: alwaysOpen });
		expect(json.map((record) => Object.hasOwn(record, 'scheduledAtUtc'))).toEqual(
			Array(3).fill(false),
		);
	});
});

describe('the Send Window', () => {
	const sandbox = useSandbox();
	const bulk = runAgainst(sandbox, 'SmsBulkSend');
	const single = runAgainst(sandbox, 'SmsSend');
	const items = wantedMessages(2);

	test('lets SMS Bulk Send not begin outside of it, and says when it opens', async () => {
		const options = { sendWindow: closedWindow() };
		const { error } = await bulk({ ...mapped, ...inCollections(options) }, { items });
		expect(error?.message).toMatch(
			/^Send Window is closed and opens on \w+day \d{4}-\d\d-\d\d at 00:00 \(UTC\) \(item 1 of 2\)$/,
		);
		expect(sandbox.requests()).toEqual([]);
	});

	test('lets SMS Send schedule the message to its next opening', async () => {
		const options = { sendWindow: closedWindow() };
		const { json, hints } = await single(
			{ ...mapped, simplify: false, ...inCollections(options) },
			{ items },
		);
		const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
		// Midnight in UTC is half past six in the zone in which the service reads schedules.
		expect(json.map(({ scheduledAt }) => scheduledAt)).toEqual(Array(2).fill(`${day} 06:30:00`));
		expect(json[0].scheduledAtUtc).toBe(`${day}T00:00:00.000Z`);
		expect(hints.join()).toContain('2 messages are scheduled, because Send Window is closed');
	});

	test('leaves a schedule within it alone, and moves one before it', async () => {
		const inside = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
		const at = (scheduledAt: string) =>
			({ scheduledAt, scheduledAtTimeZone: 'UTC', sendWindow: closedWindow() }) as never;
		const before = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
		const send = async (time: string) =>
			(await single({ ...mapped, ...inCollections(at(time)) }, { items: items.slice(0, 1) }))
				.json[0];
		expect((await send(`${inside}T10:00:00`)).scheduledAtUtc).toBe(`${inside}T10:00:00.000Z`);
		expect((await send(`${before}T10:00:00`)).scheduledAtUtc).toBe(`${inside}T00:00:00.000Z`);
	});
});

describe('Do Not Send To with 100,000 numbers', () => {
	const sandbox = useSandbox({ balance: 1e9, maxMessagesKept: 1_000_000 });
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const numbers = Array.from({ length: 100_000 }, (_, n) => `0978${String(1_000_000 + n)}`);
	const items = Array.from({ length: 10_000 }, (_, n) => ({
		...{ to: `0979${String(1_000_000 + n)}`, message: 'Hello', off: numbers },
	}));

	test.each([
		['a text', numbers.join('\n')],
		['an expression', '={{ $json.off }}'],
	])(
		'as %s adds less than a second to 10,000 items',
		async (_, doNotSendTo) => {
			const measure = async (options: object) => {
				const before = process.cpuUsage();
				const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
				const { user, system } = process.cpuUsage(before);
				expect(json).toHaveLength(items.length);
				return (user + system) / 1000;
			};
			await measure({});
			const without = await measure({});
			expect((await measure({ doNotSendTo })) - without).toBeLessThan(1000);
		},
		60_000,
	);
});

test('SMS Send and Wait refuses a number of a country that is not allowed', async () => {
	const fields = { to: '+6591234567', message: 'Hello', from: 'MyShop', waitFor: 'anyFinal' };
	const { error } = await runNode(
		{
			type: 'SmsSendAndWait',
			parameters: { ...fields, timeLimit: 1, safeguards: { allowedCountryCodes: '95' } },
		},
		// Nothing listens there: a request would be another error.
		{ credentials: credentialsOf({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', apiSecret: 's' }) },
	);
	expect(error?.message).toContain('country that is not allowed: "+6591234567"');
});
