import type { IDataObject, INode } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import {
	accountFor,
	allOnce,
	mapped,
	sendNodes,
	shortenDelivery,
	wantedMessages,
	wantedMessages as manyMessages,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

describe('Skip If Already Sent', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();
	const options = { clientReference: '={{ $json.message }}', skipIfAlreadySent: true };
	/** Other references in each test, since the process remembers them. */
	let texts = 0;
	beforeEach(() => void (texts += 1));
	const wantedMessages = (count: number) => manyMessages(count, `Reference ${texts}`);
	const sendOnce = async (items: IDataObject[], settings: Partial<INode> = {}) =>
		await send({ ...mapped, ...inCollections(options) }, { items, settings });
	const marks = (json: IDataObject[]) => json.map(({ alreadySent }) => alreadySent);

	test('sends nothing twice when the workflow starts again', async () => {
		const wanted = wantedMessages(4);
		expect(marks((await sendOnce(wanted.slice(0, 2))).json)).toEqual([undefined, undefined]);
		const { json } = await sendOnce(wanted);
		expect(marks(json)).toEqual([true, true, undefined, undefined]);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(4));
	});

	test('says of a second notice with the reference of the first that its text differs', async () => {
		const [first] = wantedMessages(1);
		const given = { ...options, clientReference: '={{ $json.ref }}' };
		const sendNotice = async (...texts: string[]) =>
			await send(
				{ ...mapped, ...inCollections(given) },
				{ items: texts.map((message) => ({ ...first, message, ref: `order ${first.message}` })) },
			);
		await sendNotice('Confirmed');
		const { json, hints } = await sendNotice('On its way');
		expect(json[0]).toMatchObject({ alreadySent: true, textDiffers: true, message: 'Confirmed' });
		expect(hints).toEqual(['0 sent (0 parts), 1 already sent (1 with another text).']);
		expect((await sendNotice('Confirmed')).json[0]).not.toHaveProperty('textDiffers');
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('says that a moved appointment is scheduled for its earlier time, and how old a notice is', async () => {
		const [{ message, to }] = wantedMessages(1);
		const [day5, day9] = [5, 9].map((days) =>
			new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
		);
		const given = {
			...options,
			scheduledAt: '={{ $json.at }}',
			scheduledAtTimeZone: 'Asia/Yangon',
		};
		const book = async (at: string) =>
			await send({ ...mapped, ...inCollections(given) }, { items: [{ to, message, at }] });
		await book(`${day5}T10:00:00`);
		expect((await book(`${day5}T10:00:00`)).json[0]).not.toHaveProperty('scheduleDiffers');
		const moved = await book(`${day9}T14:00:00`);
		expect(moved.json[0]).toMatchObject({ alreadySent: true, scheduleDiffers: true });
		expect(moved.hints.join()).toContain(
			`"${message}" is scheduled for ${day5} 10:00 (Asia/Yangon); it can't be canceled. A reference for this time, such as ${message}-${day9}-1400, sends another.`,
		);
		const old = { to, message: 'Rent', clientReference: 'Rent', from: 'MyShop' };
		sandbox.seedMessages(1, () => ({ ...old, createdAtMs: Date.now() - 31.5 * 86_400_000 }));
		const { hints } = await sendOnce([old]);
		expect(hints).toEqual(['0 sent (0 parts), 1 already sent (31 days ago).']);
		expect(sandbox.messages()).toHaveLength(2);
	});

	test('sends neither of two texts with one reference to one number', async () => {
		const [first, other] = wantedMessages(2);
		const items = [
			{ ...first, ref: 'order' },
			{ ...other, ref: 'else' },
			{ ...first, message: 'On its way', ref: 'order' },
		];
		const given = {
			...mapped,
			...inCollections({ ...options, clientReference: '={{ $json.ref }}' }),
		};
		const { error } = await send(given, { items });
		expect(error?.message).toContain('Two texts to one number have the Client Reference "order"');
		expect(error?.description).toContain('such as order-1043-shipped');
		expect(sandbox.messages()).toEqual([]);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await send(given, { items, settings });
		expect(json.map(({ error }) => typeof error)).toEqual(['string', 'undefined', 'string']);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test.each([['in history'], ['in a history that shows another sender ID', 'Operator']])(
		'finds what another process sent abroad %s',
		async (_, historySender = '') => {
			const to = '6591234567';
			const [{ message }] = wantedMessages(1);
			sandbox.seedMessages(1, () => ({ to, message, from: 'MyShop', clientReference: message }));
			sandbox.configure({ historySender });
			const { json } = await sendOnce([{ to: `+${to}`, message }]);
			expect(marks(json)).toEqual([true]);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		},
	);
});

describe.each(sendNodes)(
	'Skip If Already Sent of $type and messages that were not delivered',
	({ type, path }) => {
		const sandbox = useSandbox();
		const run = runAgainst(sandbox, type);
		shortenDelivery();
		const given =
			type === 'SmsSend'
				? { clientReference: '={{ $json.message }}' }
				: { recipientsPerRequest: 3 };
		const repeat = async (items: IDataObject[], settings: Partial<INode> = {}, more = {}) =>
			await run(
				{ ...mapped, ...inCollections({ ...given, skipIfAlreadySent: true }) },
				{ items, settings, ...more },
			);
		const endAs = async (status: string) => {
			for (const { messageId } of sandbox.messages()) await sandbox.setStatus(messageId, status);
		};
		const outcomes = (json: IDataObject[]) =>
			json.map(({ status, alreadySent = false }) => [status, alreadySent]);

		test.each(['Failed', 'Expired', 'Undelivered', 'Rejected', 'Error'])(
			'sends one that is %s again once, and then shows its status',
			async (status) => {
				const items = wantedMessages(2, `${type} ${status}`);
				await repeat(items);
				await endAs(status);
				expect(outcomes((await repeat(items)).json)).toEqual(Array(2).fill(['Accepted', false]));
				await endAs(status);
				const settings = { onError: 'continueRegularOutput' } as const;
				const { json, hints } = await repeat(items, settings);
				expect(outcomes(json)).toEqual(Array(2).fill([status, true]));
				expect(hints).toEqual(['0 sent (0 parts), 2 already sent.']);
				expect(sandbox.messages()).toHaveLength(4);
			},
		);

		test('sends none again that was delivered in the second attempt, or may still be', async () => {
			const items = wantedMessages(1, `${type} second`);
			await repeat(items);
			await endAs('Failed');
			await repeat(items);
			for (const status of ['Accepted', 'Delivered']) {
				if (status === 'Delivered')
					await sandbox.setStatus(sandbox.messages().at(-1)!.messageId, status);
				expect(outcomes((await repeat(items)).json)).toEqual([[status, true]]);
			}
			expect(sandbox.messages()).toHaveLength(2);
		});

		test('sends at the next start by hand what the service was down for', async () => {
			const items = wantedMessages(2, `${type} down`);
			const byHand = async () => await repeat(items, {}, { mode: 'manual' });
			sandbox.addFault({ match: { path }, effect: { status: 503 }, count: 1 });
			expect((await byHand()).error?.message).toMatch(/^Outcome unknown/);
			expect((await byHand()).json).toHaveLength(2);
			expect(sandbox.messages()).toHaveLength(2);
		});

		test.each([2, 3, 4])(
			'sends once what a retry and another start both look up, after %i lost requests',
			async (count) => {
				const items = wantedMessages(1, `${type} both ${count}`);
				sandbox.addFault({ match: { path }, effect: 'cut', count });
				const retries = { retryOnFail: true, maxTries: 4, waitBetweenTries: 0 };
				await Promise.all([repeat(items, retries), repeat(items)]);
				expect(sandbox.messages()).toHaveLength(1);
			},
		);

		test('sends nothing if history cannot be read', async () => {
			sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
			const { error } = await repeat(wantedMessages(3));
			expect(error?.message).toContain('is unavailable');
			expect(error?.description).toMatch(/^Nothing was sent in this attempt\. /);
			expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		});
	},
);

describe('Skip If Already Sent of SMS Bulk Send', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsBulkSend');
	shortenDelivery();
	const options = { skipIfAlreadySent: true, recipientsPerRequest: 3 };
	const startCampaign = async (items: IDataObject[], more = {}, settings: Partial<INode> = {}) =>
		await send(
			{
				...mapped,
				from: "={{ $json.from ?? 'MyShop' }}",
				...inCollections({ ...options, ...more }),
			},
			{ items, settings },
		);
	const marks = (json: IDataObject[]) => json.map(({ alreadySent }) => alreadySent === true);

	test('sends the rest of a campaign that ended early', async () => {
		const items = wantedMessages(20);
		await startCampaign(items.slice(0, 8));
		const { json, outputs } = await startCampaign(items);
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(20));
		expect(marks(json)).toEqual(items.map((_, index) => index < 8));
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});

	test('sends a campaign that is started twice at once to everybody once', async () => {
		const wanted = manyMessages(7, 'Twice at once');
		const options = { skipIfAlreadySent: true, recipientsPerRequest: 3 };
		const click = async () =>
			await send({ ...mapped, simplify: false, options }, { items: wanted });
		sandbox.configure({ historyLagMs: 1_000_000 });
		const [one, other] = await Promise.all([click(), click()]);
		expect(sandbox.messages()).toHaveLength(7);
		const repeats = [one, other].flatMap(({ json }) =>
			json.filter(({ alreadySent }) => alreadySent),
		);
		expect(repeats).toHaveLength(7);
		// Of a tool only.
		for (const repeat of repeats) expect(repeat).not.toHaveProperty('note');
		expect([one, other].map(({ json }) => json.length)).toEqual([7, 7]);
	});

	test('sends what the other of two campaigns could not', async () => {
		const wanted = manyMessages(3, 'After the other');
		const options = { skipIfAlreadySent: true };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status: 402 }, count: 1 });
		const click = async () => await send({ ...mapped, options }, { items: wanted });
		const [one, other] = await Promise.all([click(), click()]);
		expect([one.error, other.error].filter(Boolean)).toHaveLength(1);
		expect(sandbox.messages()).toHaveLength(3);
	});

	test('does not send what the other of two campaigns may have sent', async () => {
		const wanted = manyMessages(3, 'In doubt');
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({
			match: { path: '/rest/send/bulk' },
			when: 'after',
			effect: 'cut',
			count: 1,
		});
		const more = { whenOutcomeUnknown: 'report' };
		const click = async () =>
			await startCampaign(wanted, more, { onError: 'continueRegularOutput' });
		const results = await Promise.all([click(), click()]);
		expect(sandbox.messages()).toHaveLength(3);
		for (const { json } of results)
			expect(json.map(({ details }) => details)).toMatchObject(
				Array(3).fill({ kind: 'outcomeUnknown' }),
			);
	});

	test.each([0, 1])(
		'takes one earlier message for one of two equal items, after %d lost responses',
		async (count) => {
			const [one] = manyMessages(1, `One for two ${count}`);
			await startCampaign([one]);
			if (count > 0) sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: 'cut', count });
			const { json } = await startCampaign([one, one], { skipDuplicates: false });
			expect(marks(json)).toEqual([true, false]);
			expect(new Set(json.map(({ messageId }) => messageId)).size).toBe(2);
			expect(sandbox.messages()).toHaveLength(2);
		},
	);

	test('sends what was sent as a test, or from another sender ID', async () => {
		const [one] = manyMessages(1, 'As a test');
		sandbox.seedMessages(2, (n) => ({ ...one, from: n === 0 ? 'Other' : 'MyShop', test: n > 0 }));
		expect(marks((await startCampaign([one])).json)).toEqual([false]);
	});

	test('finds what was sent from a sender ID of which history shows 11 letters', async () => {
		const [one] = manyMessages(1, 'From a long name');
		sandbox.seedMessages(1, () => ({ ...one, from: '95900000001' }));
		const { json } = await startCampaign([{ ...one, from: '959000000012' }]);
		expect(marks(json)).toEqual([true]);
	});

	test('reads history for the hours of Look Back', async () => {
		const [one] = manyMessages(1, 'Look Back');
		const hours = (count: number) => Date.now() - count * 3_600_000;
		sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs: hours(60) }));
		expect(marks((await startCampaign([one], { lookBackHours: 72 })).json)).toEqual([true]);
		expect(marks((await startCampaign([one], { lookBackHours: 48 })).json)).toEqual([false]);
	});

	test("sends yesterday's list of a daily schedule again, and today's not, without Look Back", async () => {
		const [one] = manyMessages(1, 'Good morning');
		const minutes = (count: number) => Date.now() - count * 60_000;
		const seed = (createdAtMs: number) =>
			sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs }));
		// The day before, the schedule began some minutes later.
		seed(minutes(24 * 60 - 5));
		expect(marks((await startCampaign([one])).json)).toEqual([false]);
		expect(marks((await startCampaign([one])).json)).toEqual([true]);
	});
});

describe('Skip If Already Sent, before any response has shown in which zone the service writes times', () => {
	const sandbox = useSandbox();
	const [one] = manyMessages(1, 'In one zone');
	const seed = (hours: number, { to, message } = one) =>
		sandbox.seedMessages(1, () => ({
			...{ to, message, from: 'MyShop' },
			createdAtMs: Date.now() - hours * 3_600_000,
		}));
	const start = async (lookBackHours: number, credentials = {}) =>
		await runAgainst(sandbox, 'SmsBulkSend')(
			{ ...mapped, ...inCollections({ skipIfAlreadySent: true, lookBackHours }) },
			{ items: [one], credentials },
		);

	test('reports a message that may be within Look Back if history has times later than now', async () => {
		seed(1, { ...one, message: 'Another text' });
		seed(28);
		const { error } = await start(24, { serviceTimeZone: 'UTC' });
		expect(error?.message).toContain('may be this one, sent earlier');
		expect(error?.description).toMatch(/^Nothing was sent to this recipient\. /);
		expect(sandbox.messages()).toHaveLength(2);
	});

	test.each([
		[12, 24],
		[20, 20.01],
		[24, 24.01],
	])("sends with a Look Back of %d hours yesterday's message again", async (lookBack, ago) => {
		seed(ago);
		const apiKey = `key-${lookBack}`;
		sandbox.configure({ credentials: [{ apiKey, apiSecret: sandbox.apiSecret }] });
		const { json } = await start(lookBack, { apiKey });
		expect(json).toMatchObject([{ to: one.to, status: 'Accepted' }]);
		expect((await start(lookBack, { apiKey })).json).toMatchObject([{ alreadySent: true }]);
		expect(sandbox.messages()).toHaveLength(2);
	});
});
