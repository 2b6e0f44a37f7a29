import type { IDataObject, INode } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { ahead } from '../support/workflow/ahead';
import { inAnotherProcess } from '../support/workflow/anotherProcess';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { minute, passTime } from '../support/workflow/passTime';
import {
	accountFor,
	allOnce,
	mapped,
	shortenDelivery,
	useScaledTimes,
	wantedMessages,
	wantedMessages as manyMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode, type NodeUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const hour = 60 * minute;

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

	test('finds international messages, which history cannot filter by number', async () => {
		const wanted = [{ to: '+6591234567', message: 'abroad-1' }];
		await sendOnce(wanted);
		const { json } = await sendOnce(wanted);
		expect(marks(json)).toEqual([true]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
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

	test('sends one message for two items with the same Client Reference, before history lists it', async () => {
		sandbox.configure({ historyLagMs: 60_000 });
		const [wanted] = wantedMessages(1);
		const { json } = await sendOnce([wanted, wanted]);
		expect(marks(json)).toEqual([undefined, true]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('sends to another number with the same reference', async () => {
		const [first, second] = wantedMessages(2);
		await sendOnce([first]);
		const { json } = await sendOnce([{ ...second, message: first.message }]);
		expect(marks(json)).toEqual([undefined]);
	});

	test('sends nothing if history cannot be read', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
		const { error } = await sendOnce(wantedMessages(1));
		expect(error?.message).toContain('is unavailable');
		expect(error?.description).toMatch(/^Nothing was sent in this attempt\. /);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});

describe('Skip If Already Sent of SMS Bulk Send', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsBulkSend');
	shortenDelivery();
	const options = { skipIfAlreadySent: true, recipientsPerRequest: 3 };
	const startCampaign = async (items: IDataObject[], more = {}, settings: Partial<INode> = {}) =>
		await send({ ...mapped, ...inCollections({ ...options, ...more }) }, { items, settings });
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

	test('sends two of five equal items if history lists three', async () => {
		const [one] = wantedMessages(1);
		await startCampaign([one, one]);
		await send({ ...mapped }, { items: [one] });
		const before = sandbox.messages().length;
		const { json } = await startCampaign([one, one, one, one, one]);
		expect(sandbox.messages().length - before).toBe(2);
		expect(marks(json).filter(Boolean)).toHaveLength(3);
	});

	test('compares text, sender ID and number in any spelling', async () => {
		const [one, two] = wantedMessages(2);
		await startCampaign([one]);
		const { json } = await startCampaign([
			{ ...one, to: one.to.replace(/^959/, '09') },
			{ ...one, message: 'Another text' },
			{ ...two, message: one.message },
		]);
		expect(marks(json)).toEqual([true, false, false]);
	});

	test('reads history for the hours of Look Back', async () => {
		const [one] = wantedMessages(1);
		const hours = (count: number) => Date.now() - count * 3_600_000;
		sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs: hours(30) }));
		expect(marks((await startCampaign([one], { lookBackHours: 48 })).json)).toEqual([true]);
		expect(marks((await startCampaign([one], { lookBackHours: 20 })).json)).toEqual([false]);
	});

	test('reports a message that is within Look Back in one time zone only', async () => {
		const [one] = wantedMessages(1);
		const createdAtMs = Date.now() - 30 * 3_600_000;
		sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs }));
		const { error } = await startCampaign([one], { lookBackHours: 24 });
		expect(error?.message).toContain('may be this one, sent earlier');
		expect(error?.description).toMatch(/^Nothing was sent to this recipient\. /);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('sends nothing if history cannot be read', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
		const { error } = await startCampaign(wantedMessages(3));
		expect(error?.message).toContain('is unavailable');
		expect(error?.description).toMatch(/^Nothing was sent in this attempt\. /);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});

describe('Look Back of SMS Bulk Send in another process', () => {
	const sandbox = useSandbox();
	const send = async (wanted: WantedMessage[], lookBackHours: number) =>
		await inAnotherProcess(
			async (engine) =>
				await engine.runNode(
					{
						type: 'SmsBulkSend',
						parameters: { ...mapped, safeguards: { skipIfAlreadySent: true, lookBackHours } },
						settings: { onError: 'continueRegularOutput' },
					},
					{ credentials: credentialsOf(sandbox), items: wanted },
				),
		);
	const wanted = wantedMessages(50).map((one) => ({
		...one,
		message: 'Your daily code of conduct',
	}));
	const seed = (ageMs: number) => {
		const createdAtMs = Date.now() - ageMs;
		sandbox.seedMessages(50, (index) => ({ ...wanted[index], from: 'MyShop', createdAtMs }));
	};
	const outcomes = (records: IDataObject[]) => ({
		sent: sandbox.messages().length - 50,
		skipped: records.filter(({ alreadySent }) => alreadySent === true).length,
		told: records.filter(({ error }) => typeof error === 'string').length,
	});

	test.each([
		[24, 12, { sent: 50, skipped: 0, told: 0 }],
		[3, 12, { sent: 0, skipped: 50, told: 0 }],
		// In UTC it would be 8.5 hours, in GMT+6:30 it is 15.
		[15, 12, { sent: 0, skipped: 0, told: 50 }],
	])(
		'with a text sent %i hours ago and %i hours of Look Back: %j',
		async (age, lookBack, expected) => {
			seed(age * hour);
			const { json } = await send(wanted, lookBack);
			expect(outcomes(json)).toEqual(expected);
		},
	);
});

describe('Skip If Already Sent for tests and schedules', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsSend');
	useScaledTimes();
	afterEach(() => void jest.restoreAllMocks());

	test.each([
		['this process', false],
		['another process', true],
	])('does not skip a message that was sent with Test only, in %s', async (_, isElsewhere) => {
		const node = (test: boolean): NodeUnderTest => ({
			type: 'SmsSend',
			parameters: {
				...mapped,
				options: { clientReference: `order-${isElsewhere}`, test },
				safeguards: { skipIfAlreadySent: true },
			},
		});
		const given = { credentials: credentialsOf(sandbox), items: wantedMessages(1) };
		await runNode(node(true), given);
		const { json } = isElsewhere
			? await inAnotherProcess(async (engine) => await engine.runNode(node(false), given))
			: await runNode(node(false), given);
		expect(sandbox.messages().map(({ test }) => test)).toEqual([true, false]);
		expect(json[0].alreadySent).not.toBe(true);
	});

	test('schedules a message once, before history lists it', async () => {
		sandbox.configure({ unlistedScheduled: true });
		const options = {
			clientReference: 'reminder-1',
			skipIfAlreadySent: true,
			scheduledAt: `${ahead}T09:00:00+06:30`,
		};
		const again = async () =>
			await run({ ...mapped, ...inCollections(options) }, { items: wantedMessages(1) });
		await again();
		passTime(11 * minute);
		const { json } = await again();
		expect(sandbox.messages().length).toBe(1);
		expect(json).toEqual([expect.objectContaining({ alreadySent: true })]);
	});
});
