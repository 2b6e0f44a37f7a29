import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import type { FaultRule, Settings } from '../../sandbox';
import {
	accountFor,
	allItems,
	allOnce,
	mapped,
	second,
	sendNodes,
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { ahead } from '../support/workflow/ahead';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

/** Of the nodes, in milliseconds; not scaled, since a busy machine would be taken for a service that is. */
const timeout = 250;

interface Behavior {
	what: string;
	settings?: Partial<Settings>;
	fault: Omit<FaultRule, 'match'>;
	to?: (index: number) => string;
}

/** The sentences of docs/never-twice.md, "What happens when the service". */
const behaviors: Behavior[] = [
	{
		what: 'accepts messages within two minutes of a time-out',
		fault: { when: 'later', laterMs: timeout + 100 * second, effect: 'hang', count: 2 },
	},
	{
		what: 'lists accepted messages within a minute, and its responses are lost',
		settings: { historyLagMs: 58 * second },
		fault: { when: 'after', effect: 'cut' },
	},
	{
		what: 'shows another sender ID than it was given',
		settings: { historySender: 'Operator' },
		fault: { when: 'after', effect: 'cut', count: 2 },
		to: (index) => `+659123${String(1000 + index)}`,
	},
	{
		what: 'lists part of a bulk request, and the rest later',
		settings: { bulkLagMs: 20 * second },
		fault: { when: 'after', effect: 'cut', count: 2 },
	},
	{
		what: 'responds 200 with a record without messageId and status',
		fault: { when: 'after', effect: { status: 200, body: { messages: [{}] } }, count: 2 },
	},
];

describe.each(sendNodes)('$type, when the service', ({ type, path, options }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	useScaledTimes();

	/** An account of its own for each test: what is known of one says nothing of another. */
	let apiKey = '';
	let accounts = 0;
	beforeEach(() => {
		accounts += 1;
		apiKey = `key-${accounts}`;
		sandbox.configure({ credentials: [{ apiKey, apiSecret: sandbox.apiSecret }] });
	});
	const send = async (wanted: WantedMessage[], more: IDataObject = {}, retry = {}) =>
		await run(
			{ ...mapped, ...inCollections({ ...options, timeout, ...more }) },
			{
				items: wanted,
				credentials: { apiKey },
				settings: { onError: 'continueRegularOutput', ...retry },
			},
		);
	const want = ({ to }: Behavior) =>
		wantedMessages(6).map((one, index) => (to ? { ...one, to: to(index) } : one));

	test.each(behaviors)(
		'$what: sends each message once, and reports what it cannot recognize',
		async (behavior) => {
			const wanted = want(behavior);
			sandbox.configure(behavior.settings ?? {});
			sandbox.addFault({ ...behavior.fault, match: { path } });
			const account = accountFor(sandbox, wanted, allItems(await send(wanted)));
			expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
			expect(account.accepted + account.unknown).toBe(wanted.length);
			// With another sender ID, bulk messages cannot be recognized.
			const isTold = type === 'SmsBulkSend' && behavior.settings?.historySender !== undefined;
			if (!isTold) expect(account).toEqual(allOnce(wanted.length));
		},
		30_000,
	);

	test('never lists the messages: with Report, each is sent once and reported', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' });
		const report = { whenOutcomeUnknown: 'report' };
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const account = accountFor(sandbox, wanted, allItems(await send(wanted, report, retry)));
		expect(account).toMatchObject({ extra: [], unreported: [], unknown: 6 });
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(6);
	}, 30_000);

	test('never lists the message: with Send Again, it is sent in three requests and reported', async () => {
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' });
		const { json } = await send(wantedMessages(1));
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(deliveryTiming.mostSends);
		expect(json[0].error).toContain('Outcome unknown');
		expect(json[0].details).toMatchObject({
			kind: 'outcomeUnknown',
			description: expect.stringContaining('3 attempts'),
		});
	}, 30_000);

	test('accepts nothing: with Send Again, the messages are sent again', async () => {
		const wanted = wantedMessages(6);
		sandbox.addFault({ match: { path }, effect: { status: 502 }, count: 2 });
		expect(accountFor(sandbox, wanted, allItems(await send(wanted)))).toEqual(allOnce(6));
	}, 30_000);

	test('responds 503 to everything: reports "Outcome unknown" and the number of attempts', async () => {
		sandbox.addFault({ match: { path }, effect: { status: 503 } });
		const { json } = await send(wantedMessages(1));
		expect(json[0].error).toContain('Outcome unknown: the message');
		const { kind, description } = json[0].details as IDataObject;
		expect(kind).toBe('outcomeUnknown');
		expect(description).toContain('(3 attempts)');
		expect(description).toContain('not in message history');
	}, 30_000);
});

describe('a bulk request whose response is lost', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const sends = () =>
		sandbox.requests().filter(({ path }) => path.endsWith('/rest/send/bulk')).length;
	const sendAll = async (wanted: WantedMessage[], options: IDataObject = {}) =>
		await run(
			{ ...mapped, ...inCollections(options) },
			{ items: wanted, settings: { onError: 'continueRegularOutput' } },
		);

	test('is not sent again if history shows part of it, and the rest is reported', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ bulkLagMs: 1_000_000 });
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'after', effect: 'cut' });
		const { json } = await sendAll(wanted);
		expect(accountFor(sandbox, wanted, json)).toMatchObject({
			...{ extra: [], unreported: [], accepted: 3, unknown: 3 },
		});
		expect(JSON.stringify(json)).toContain('Others of the same request were accepted');
		expect(sends()).toBe(1);
	}, 30_000);

	test('is not sent again either if its response names only a part of it', async () => {
		const [first, other] = wantedMessages(2);
		const record = { messageId: 'a', ...first, from: 'MyShop', status: 'Accepted' };
		const effect = { status: 200, body: { messages: [record] } };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'before', effect });
		const { json } = await sendAll([first, other]);
		expect(json).toMatchObject([
			{ messageId: 'a' },
			{ details: { kind: 'outcomeUnknown', to: expect.stringContaining(other.to.slice(-9)) } },
		]);
		expect(sends()).toBe(1);
	}, 30_000);
});

describe('a bulk request whose response names none of it', () => {
	const sandbox = useSandbox();
	useScaledTimes();

	test('is sent again once history does not show it', async () => {
		const effect = { status: 200, body: { messages: [{}] } };
		const path = '/rest/send/bulk';
		sandbox.addFault({ match: { path }, when: 'before', effect, count: 1 });
		const wanted = wantedMessages(2);
		const { json } = await runAgainst(sandbox, 'SmsBulkSend')(mapped, { items: wanted });
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(2));
		expect(sandbox.requests().filter((one) => one.path.endsWith(path))).toHaveLength(2);
	}, 30_000);
});

describe('a scheduled message in doubt', () => {
	const sandbox = useSandbox({ unlistedScheduled: true });
	const run = runAgainst(sandbox, 'SmsSend');
	useScaledTimes();

	test('is reported and never sent again, since history may not list it', async () => {
		const wanted = wantedMessages(10);
		const scheduledAt = `${ahead}T09:00:00+06:30`;
		const match = { path: '/rest/send' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 5 });
		const result = await run(
			{ ...mapped, options: { scheduledAt } },
			{ items: wanted, settings: { onError: 'continueRegularOutput' } },
		);
		const account = accountFor(sandbox, wanted, allItems(result));
		expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
		expect(account.accepted + account.unknown).toBe(10);
	}, 30_000);
});
