import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import {
	accountFor,
	mapped,
	onlyOne,
	retryOnFail,
	sendNodes,
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

/** Of the nodes, in milliseconds; not scaled, since a busy machine would be taken for a service that is. */
const timeout = 250;

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

	test('never lists the message: with Send Again, it is sent in two requests and reported', async () => {
		sandbox.configure({ historyLagMs: 1_000_000 });
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut' });
		// On a busy machine, history could not be read in the usual time.
		const { json } = await send(wantedMessages(1), { timeout: 10_000 });
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(deliveryTiming.mostSends);
		expect(json[0].error).toContain('Outcome unknown');
		expect(json[0].details).toMatchObject({
			kind: 'outcomeUnknown',
			description: expect.stringContaining('2 attempts'),
		});
	}, 30_000);
});

describe.each(sendNodes)('$type that stops while an outcome is unknown', ({ type, path }) => {
	const sandbox = useSandbox();
	useScaledTimes();

	test('counts what was sent, what may have been sent, and what was not', async () => {
		sandbox.configure({ bulkLagMs: 1_000_000 });
		const items = wantedMessages(5);
		sandbox.addFault({ match: { path }, effect: { status: 502 }, skip: 1, count: 1 });
		sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1 });
		const options = { ...onlyOne(type), parallelRequests: 1, whenOutcomeUnknown: 'report' };
		const { error } = await runAgainst(sandbox, type)(
			{ ...mapped, ...inCollections(options) },
			{ items },
		);
		const [sent, unknown] = items.map(({ to }) => to);
		expect(error?.description).toContain(
			`Of the messages, 1 was sent (${sent}), 1 may have been sent (${unknown}), 3 were not sent. To send the rest, open Executions,`,
		);
	}, 30_000);

	test('says of no retry that would send nothing', async () => {
		const items = wantedMessages(2);
		sandbox.addFault({ match: { path }, effect: { status: 502 }, skip: 1 });
		const options = { ...onlyOne(type), parallelRequests: 1, whenOutcomeUnknown: 'report' };
		const { error } = await runAgainst(sandbox, type)(
			{ ...mapped, ...inCollections(options) },
			{ items },
		);
		expect(error?.description).toContain(' 1 may have been sent (');
		expect(error?.description).not.toContain('Retry >');
	}, 30_000);
});

describe('a bulk request in which the credit ends', () => {
	const sandbox = useSandbox();
	useScaledTimes();

	test('counts those that history shows as sent, and the others as perhaps sent', async () => {
		const items = wantedMessages(100);
		// The service takes the first 31, and rejects the request.
		const taken = { from: 'MyShop', status: 'Accepted', createdAtMs: Date.now() };
		sandbox.seedMessages(31, (n) => ({ ...items[n], ...taken }));
		const effect = { status: 402, body: { message: 'Insufficient balance.' } };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
		const { error } = await runAgainst(sandbox, 'SmsBulkSend')(mapped, { items });
		expect(error?.description).toMatch(/31 were sent \(.*\), 69 may have been sent \(/);
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

	test('and whose history cannot be read is told so by each attempt, with Skip If Already Sent', async () => {
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status: 503 } });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 }, skip: 1 });
		const few = { recipientsPerRequest: 2, parallelRequests: 1, skipIfAlreadySent: true };
		const settings = { ...retryOnFail, maxTries: 2, onError: 'continueRegularOutput' } as const;
		const items = wantedMessages(24);
		const run = runAgainst(sandbox, 'SmsBulkSend');
		const { json } = await run({ ...mapped, ...inCollections(few) }, { items, settings });
		const unknown = json.filter(({ error }) => /^Outcome unknown/.test(String(error)));
		expect(unknown.length).toBeGreaterThan(9);
		const isTold = ({ details }: IDataObject) =>
			JSON.stringify(details).includes('Message history could not be read');
		expect(unknown.filter((one) => !isTold(one))).toEqual([]);
	}, 30_000);

	test.each([
		['another text, minutes before', 'Another text', 5],
		['the same text, the day before', 'Message 0', 24 * 60],
	])(
		'is sent again although history shows %s',
		async (_, message, minutes) => {
			const [one] = wantedMessages(1);
			const match = { path: '/rest/send/bulk' };
			sandbox.addFault({ match, effect: 'cut', count: 1 });
			sandbox.seedMessages(1, () => ({
				...{ to: one.to, from: 'MyShop', message },
				createdAtMs: Date.now() - minutes * 60_000,
			}));
			const { json } = await sendAll([one]);
			expect(json).toMatchObject([{ message: one.message }]);
			expect(sandbox.messages()).toHaveLength(2);
		},
		30_000,
	);

	test('counts once for one of two executions, and the other sends its own', async () => {
		const wanted = wantedMessages(1);
		const match = { path: '/rest/send/bulk' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match, effect: 'cut', count: 1 });
		const results = await Promise.all([sendAll(wanted), sendAll(wanted)]);
		const found = results.filter(({ json: [{ error }] }) => error === undefined);
		expect([found.length, sandbox.messages().length]).toEqual([2, 2]);
	}, 30_000);

	test('is not sent again if history shows part of it, and the rest is reported', async () => {
		const wanted = wantedMessages(6);
		sandbox.configure({ bulkLagMs: 1_000_000 });
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'after', effect: 'cut' });
		const { json } = await sendAll(wanted);
		expect(accountFor(sandbox, wanted, json)).toMatchObject({
			...{ extra: [], unreported: [], accepted: 3, unknown: 3 },
		});
		expect(JSON.stringify(json)).toContain('Other messages in the same request were accepted');
		expect(sends()).toBe(1);
	}, 30_000);
});
