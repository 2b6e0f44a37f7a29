import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { inAnotherProcess } from '../support/workflow/anotherProcess';
import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	second,
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { minute, passTime } from '../support/workflow/passTime';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode, type NodeUnderTest } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** Loading the engine again takes a while on a busy machine. */
jest.setTimeout(30_000);

const hour = 60 * minute;
const enough = { balance: 1e9, maxMessagesKept: 1_000_000 };

const nodes = [
	{ type: 'SmsSend', path: '/rest/send', options: {} },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
] as const;

describe('Look Back of SMS Bulk Send, in a process that has not sent yet', () => {
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
	])('of a text of %i hours ago, looking back %i hours: %j', async (age, lookBack, expected) => {
		seed(age * hour);
		const { json } = await send(wanted, lookBack);
		expect(outcomes(json)).toEqual(expected);
	});
});

describe.each(nodes)(
	'$type in a busy campaign with a prompt history',
	({ type, path, options }) => {
		const sandbox = useSandbox();
		const run = runAgainst(sandbox, type);
		useScaledTimes();

		test.each([75, 90])(
			'sends once what a service took %i seconds after its 504',
			async (seconds) => {
				const wanted = wantedMessages(300);
				sandbox.configure({ latencyMs: type === 'SmsSend' ? 30 : 60 });
				sandbox.addFault({
					match: { path, contains: wanted[80].to },
					when: 'later',
					laterMs: seconds * second,
					effect: { status: 504 },
					count: 1,
				});
				const { json } = await run(
					{ ...mapped, options: { ...options, parallelRequests: 3 } },
					{ items: wanted, settings: { onError: 'continueRegularOutput' } },
				);
				expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(300));
			},
			30_000,
		);
	},
);

describe('Skip If Already Sent of SMS Send', () => {
	const sandbox = useSandbox(enough);
	const run = runAgainst(sandbox, 'SmsSend');
	useScaledTimes();
	afterEach(() => void jest.restoreAllMocks());
	const looks = () => sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0;

	test.each([
		['this process', false],
		['another process', true],
	])('takes no rehearsal with Test for the real message, in %s', async (_, isElsewhere) => {
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

	test('schedules a message once, though history lists it only when its time has come', async () => {
		sandbox.configure({ unlistedScheduled: true });
		const options = {
			clientReference: 'reminder-1',
			skipIfAlreadySent: true,
			scheduledAt: '2031-01-01T09:00:00+06:30',
		};
		const again = async () =>
			await run({ ...mapped, ...inCollections(options) }, { items: wantedMessages(1) });
		await again();
		passTime(11 * minute);
		const { json } = await again();
		expect(sandbox.messages().length).toBe(1);
		expect(json).toEqual([expect.objectContaining({ alreadySent: true })]);
	});

	test('reads a long history once for all numbers abroad', async () => {
		sandbox.seedMessages(10_000);
		const items = Array.from({ length: 10 }, (_, index) => ({
			to: `+6591230${String(100 + index)}`,
			message: 'Hello',
			reference: `order-${index}`,
		}));
		const options = { clientReference: '={{ $json.reference }}', skipIfAlreadySent: true };
		const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
		expect(json).toHaveLength(10);
		expect(looks()).toBeLessThanOrEqual(15);
	}, 30_000);
});

describe.each([
	{ type: 'SmsSend', path: '/rest/send', few: 2_000, perPage: 4 },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', few: 10_000, perPage: 3 },
] as const)(
	'the retry of a campaign of $type that failed at its start',
	({ type, path, few, perPage }) => {
		const sandbox = useSandbox(enough);
		const node = { type, parameters: mapped } as const;
		const countLooks = async (count: number) => {
			sandbox.reset();
			const given = {
				credentials: credentialsOf(sandbox),
				items: wantedMessages(count).map((one, n) => ({ ...one, to: `95977${1_000_000 + n}` })),
			};
			sandbox.addFault({ match: { path }, effect: { status: 401 } });
			const { run: failed } = await runNode(node, given);
			sandbox.clearFaults();
			const before = sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0;
			expect(sandbox.messages()).toEqual([]);
			const { json } = await runNode(node, { ...given, retryOf: failed });
			expect(json).toHaveLength(count);
			return (sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0) - before;
		};

		test('asks history in proportion to its size', async () => {
			const looks = [await countLooks(few), await countLooks(2 * few)];
			const most = perPage * Math.ceil(few / 1000) + 4;
			const isLinear = looks[0] <= most && looks[1] <= 2 * most;
			expect({ looks, isLinear }).toEqual({ looks, isLinear: true });
		}, 60_000);
	},
);
