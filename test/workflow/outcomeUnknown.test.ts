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
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

/** Of the nodes, in milliseconds; not scaled, since a busy machine would be taken for a service that is. */
const timeout = 250;

const nodes = [
	{ type: 'SmsSend', path: '/rest/send', options: {} },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
] as const;

interface Behaviour {
	what: string;
	settings?: Partial<Settings>;
	fault: Omit<FaultRule, 'match'>;
	messages: number;
	to?: (index: number) => string;
}

const abroad = (index: number) => `+659123${String(1000 + index)}`;

/** What services were seen to do, and what cost a second message. */
const behaviours: Behaviour[] = [
	{
		what: 'takes a third of the messages 16 s after the time-out',
		fault: { when: 'later', laterMs: timeout + 16 * second, effect: 'hang', probability: 0.3 },
		messages: 40,
	},
	{
		what: 'takes a third of the messages 16 s after a 504',
		fault: { when: 'later', laterMs: 16 * second, effect: { status: 504 }, probability: 0.3 },
		messages: 40,
	},
	{
		what: 'takes a third of the messages 16 s after a 408',
		fault: { when: 'later', laterMs: 16 * second, effect: { status: 408 }, probability: 0.3 },
		messages: 40,
	},
	{
		what: 'lists messages after 0 to 25 s and loses a third of the answers',
		settings: { historyLagJitterMs: 25 * second },
		fault: { when: 'after', effect: 'cut', probability: 0.3 },
		messages: 40,
	},
	{
		what: 'lists messages after 45 s and loses a third of the answers',
		settings: { historyLagMs: 45 * second },
		fault: { when: 'after', effect: { status: 502 }, probability: 0.3 },
		messages: 40,
	},
	{
		what: 'lists messages nearly a minute late and loses every answer',
		settings: { historyLagMs: 58 * second },
		fault: { when: 'after', effect: 'cut' },
		messages: 3,
	},
	{
		what: 'shows another sender ID abroad and loses a third of the answers',
		settings: { historySender: 'Operator' },
		fault: { when: 'after', effect: 'cut', probability: 0.3 },
		messages: 30,
		to: abroad,
	},
	{
		what: 'lists the second half of a bulk request 20 s later and loses a third of the answers',
		settings: { bulkLagMs: 20 * second },
		fault: { when: 'after', effect: 'cut', probability: 0.3 },
		messages: 40,
	},
	{
		what: 'answers a third of the messages with a record without fields',
		fault: {
			when: 'after',
			effect: { status: 200, body: { messages: [{}] } },
			probability: 0.3,
		},
		messages: 20,
	},
	{
		what: 'answers a third of the messages with a record without a messageId',
		fault: {
			when: 'after',
			effect: { status: 200, body: { messages: [{ status: 'Accepted' }] } },
			probability: 0.3,
		},
		messages: 20,
	},
];

describe.each(nodes)('$type and a service that', ({ type, path, options }) => {
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
	const want = ({ messages, to }: Behaviour) =>
		wantedMessages(messages).map((one, index) => (to ? { ...one, to: to(index) } : one));

	test.each(behaviours)(
		'$what: nothing twice, nothing untold',
		async (behaviour) => {
			const wanted = want(behaviour);
			sandbox.configure(behaviour.settings ?? {});
			sandbox.addFault({ ...behaviour.fault, match: { path } });
			const account = accountFor(sandbox, wanted, allItems(await send(wanted)));
			expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
			expect(account.accepted + account.unknown).toBe(wanted.length);
			// Another sender ID leaves nothing to tell bulk messages by; everything else is found.
			const isTold = type === 'SmsBulkSend' && behaviour.settings?.historySender !== undefined;
			if (!isTold) expect(account).toEqual(allOnce(wanted.length));
		},
		30_000,
	);

	test('never shows a message is sent no second time under Report, and every one is told', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' });
		const report = { whenOutcomeUnknown: 'report' };
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const account = accountFor(sandbox, wanted, allItems(await send(wanted, report, retry)));
		expect(account).toMatchObject({ extra: [], unreported: [], unknown: 6 });
		expect(sandbox.messages()).toHaveLength(6);
	}, 30_000);

	test('never shows a message can get it several times under Send Again, and it is told', async () => {
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' });
		const { json } = await send(wantedMessages(1));
		expect(sandbox.messages()).toHaveLength(deliveryTiming.mostSends);
		expect(json[0].error).toContain('Outcome unknown');
		expect(json[0].details).toMatchObject({
			kind: 'outcomeUnknown',
			description: expect.stringContaining('3 attempts'),
		});
	}, 30_000);

	test('took nothing sends the rest again under Send Again', async () => {
		const wanted = wantedMessages(6);
		sandbox.addFault({ match: { path }, effect: { status: 502 }, count: 2 });
		expect(accountFor(sandbox, wanted, allItems(await send(wanted)))).toEqual(allOnce(6));
	}, 30_000);

	test('answers a constant 503 leaves the outcome unknown, with what was done', async () => {
		sandbox.addFault({ match: { path }, effect: { status: 503 } });
		const { json } = await send(wantedMessages(1));
		expect(json[0].error).toContain('Outcome unknown: the message');
		const { kind, description } = json[0].details as IDataObject;
		expect(kind).toBe('outcomeUnknown');
		expect(description).toContain('(3 attempts)');
		expect(description).toContain('not in message history');
	}, 30_000);
});

describe('a bulk request that was not answered', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const paths = () => sandbox.requests().map(({ path }) => path);
	const sends = () => paths().filter((path) => path.endsWith('/rest/send/bulk')).length;
	const sendAll = async (wanted: WantedMessage[], options: IDataObject = {}) =>
		await run(
			{ ...mapped, ...inCollections(options) },
			{ items: wanted, settings: { onError: 'continueRegularOutput' } },
		);

	test('is not sent again once a part of it is in history, and the rest is told', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ bulkLagMs: 1_000_000 });
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'after', effect: 'cut' });
		const { json } = await sendAll(wanted);
		expect(accountFor(sandbox, wanted, json)).toMatchObject({
			...{ extra: [], unreported: [], accepted: 3, unknown: 3 },
		});
		expect(JSON.stringify(json)).toContain('shows others of the same request');
		expect(sends()).toBe(1);
	}, 30_000);

	test.each(['sendAgain', 'report'])(
		'and was refused for the balance is told at once under %s',
		async (whenOutcomeUnknown) => {
			const effect = { status: 402, body: { message: 'Insufficient balance.' } };
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
			const { json } = await sendAll(wantedMessages(2), { whenOutcomeUnknown });
			const refused = expect.stringContaining('Rejected by the service: Insufficient balance.');
			expect(json.map(({ error }) => error)).toEqual(Array(2).fill(refused));
			expect(paths()).toEqual(['/api/rest/send/bulk']);
		},
	);

	test.each([401, 403, 404, 405])(
		'and whose refusal is about all messages, a %i, is told at once',
		async (status) => {
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status } });
			const { json } = await sendAll(wantedMessages(3));
			expect(json.map(({ details }) => details)).toEqual(
				Array(3).fill(expect.objectContaining({ statusCode: status })),
			);
			expect(paths()).toEqual(['/api/rest/send/bulk']);
		},
	);

	test('and was refused although it was accepted is never sent again, and told or found', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ bulkLagMs: 1_000_000 });
		const effect = { status: 400, body: { message: 'Invalid number.' } };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'after', effect });
		const { json } = await sendAll(wanted);
		expect(accountFor(sandbox, wanted, json)).toMatchObject({
			...{ extra: [], unreported: [], accepted: 3, unknown: 3 },
		});
		expect(sends()).toBe(1);
	}, 30_000);

	test.each([
		[400, 'sendAgain'],
		[402, 'sendAgain'],
		[422, 'sendAgain'],
		[422, 'report'],
	])(
		'of one message that was refused with a %i is told at once under %s',
		async (status, whenOutcomeUnknown) => {
			const effect = { status, body: { message: 'Invalid number.' } };
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
			const { json } = await sendAll(wantedMessages(1), { whenOutcomeUnknown });
			expect(json[0].error).toContain('Rejected by the service: Invalid number.');
			expect(paths()).toEqual(['/api/rest/send/bulk']);
		},
	);
});

describe('a scheduled message', () => {
	const sandbox = useSandbox({ unlistedScheduled: true });
	const run = runAgainst(sandbox, 'SmsSend');
	useScaledTimes();

	test('is never sent again while history may not list it, and is told', async () => {
		const wanted = wantedMessages(10);
		const scheduledAt = '2031-01-01T09:00:00+06:30';
		const match = { path: '/rest/send' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', probability: 0.5 });
		const result = await run(
			{ ...mapped, options: { scheduledAt } },
			{ items: wanted, settings: { onError: 'continueRegularOutput' } },
		);
		const account = accountFor(sandbox, wanted, allItems(result));
		expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
		expect(account.accepted + account.unknown).toBe(10);
	}, 30_000);
});
