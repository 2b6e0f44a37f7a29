import type { IRunExecutionData } from 'n8n-workflow';

import { MessagingServiceClient } from '../../../../nodes/shared/client/MessagingServiceClient';
import { isUnknown, retryTiming, ServiceError } from '../../../../nodes/shared/client/failure';
import { Delivery } from '../../../../nodes/shared/delivery/deliver';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { deliveryTiming } from '../../../../nodes/shared/delivery/timing';
import type { LedgerEntry } from '../../../../nodes/shared/delivery/entry';
import type { Outgoing } from '../../../../nodes/shared/delivery/Outgoing';
import { SingleChannel } from '../../../../nodes/shared/sending/deliverOne';
import { brakeTiming } from '../../../../nodes/shared/client/brake';
import { until } from '../../../../scripts/n8n/until';
import { shortenDelivery, shortRetry } from '../../../support/workflow/sending';
import { newExecution, openContext } from '../../../support/workflow/openContext';
import { useSandbox } from '../../../support/workflow/useSandbox';

interface Wanted {
	reference?: string;
	isSkipping?: boolean;
	isSentOnce?: boolean;
	from?: string;
}

function toOutgoing(
	to: string,
	entry: LedgerEntry,
	{ reference, from = 'MyShop', ...wanted }: Wanted,
): Outgoing {
	return {
		request: { to, message: 'Hello', from, clientReference: reference ?? entry.reference },
		...{ surface: 'rest', entry, isUsersReference: reference !== undefined },
		...{ isSentOnce: false, isSkipping: false, ...wanted },
	};
}

function leaveInDoubt(entry: LedgerEntry, account = '', agoMs = 0): void {
	const failure = new ServiceError('unavailable', { status: 500, mayHaveActed: true });
	const sent = { message: 'Hello', from: 'MyShop', account };
	entry.note({ is: 'sent', sent, request: 'r1' }, Date.now() - agoMs - 1000);
	entry.note({ is: 'unclear', failure }, Date.now() - agoMs);
}

describe('a delivery', () => {
	const sandbox = useSandbox();
	shortenDelivery();
	const open = async (
		execution: IRunExecutionData = newExecution(),
		parallelRequests = 5,
		signal?: AbortSignal,
	) => {
		const context = openContext(sandbox, { execution, signal });
		const client = await MessagingServiceClient.open(context, { parallelRequests, timeout: 5000 });
		const ledger = await Ledger.use(context, async (own) => own);
		const decided: Outgoing[] = [];
		const delivery = new Delivery(client, ledger, new SingleChannel(client), (message) => {
			decided.push(message);
		});
		const makeAll = (numbers: string[], wanted: Wanted = {}) => {
			const entries = ledger.entries(numbers.map((to) => ({ to, isTest: false })));
			return numbers.map((to, n) => toOutgoing(to, entries[n], wanted));
		};
		const make = (n: number, wanted?: Wanted) => makeAll([`95977910000${n}`], wanted)[0];
		const send = async (...messages: Outgoing[]) => {
			await delivery.deliver(messages);
			return messages.map(({ outcome }) => outcome);
		};
		return { delivery, make, makeAll, send, decided, account: client.account };
	};
	const sends = () => sandbox.requests().filter(({ path }) => path === '/api/rest/send');

	test('sends each message once, tells of each once, and returns the records in another attempt', async () => {
		const execution = newExecution();
		const { make, send, decided } = await open(execution);
		const messages = [1, 2, 3].map((n) => make(n));
		const records = await send(...messages);
		expect(decided).toHaveLength(3);
		const again = await open(execution);
		expect(await again.send(...[1, 2, 3].map((n) => again.make(n)))).toEqual(records);
		expect(sends()).toHaveLength(3);
	});

	test('makes no lookup for 300 messages that are all accepted', async () => {
		const { makeAll, send } = await open();
		const numbers = Array.from({ length: 300 }, (_, n) => `9597${79100000 + n}`);
		expect(await send(...makeAll(numbers))).toMatchObject(Array(300).fill({ status: 'Accepted' }));
		const paths = new Set(sandbox.requests().map(({ path }) => path));
		expect([sends().length, [...paths]]).toEqual([300, ['/api/rest/send']]);
	});

	test('sends again what history does not show, unless it is to be sent once', async () => {
		const fault = { match: { path: '/rest/send' }, effect: 'cut', count: 1 } as const;
		sandbox.addFault(fault);
		const { make, send } = await open();
		expect(await send(make(1))).toMatchObject([{ status: 'Accepted' }]);
		sandbox.addFault(fault);
		expect(await send(make(2, { isSentOnce: true }))).toMatchObject([
			{ kind: 'outcomeUnknown', facts: { history: 'nothing', requests: 1, to: '959779100002' } },
		]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('sends a duplicate of a message in flight once, if it is to be skipped', async () => {
		const runs = await Promise.all([open(), open()]);
		const wanted = { reference: 'order-7', isSkipping: true };
		const records = await Promise.all(
			runs.map(async ({ make, send }) => await send(make(1, wanted))),
		);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		expect(records.flat()).toMatchObject([{ status: 'Accepted' }, { alreadySent: true }]);
	});

	test('asks history once for what was already sent, whatever the number of attempts', async () => {
		const execution = newExecution();
		const wanted = { reference: 'order-5', isSkipping: true };
		const sent = { message: 'Hello', from: 'MyShop', clientReference: 'order-5' };
		sandbox.seedMessages(1, () => ({ to: '959779100001', ...sent }));
		for (let n = 0; n < 2; n += 1) {
			const { make, send } = await open(execution);
			expect(await send(make(1, wanted))).toMatchObject([{ alreadySent: true }]);
		}
		expect(sandbox.requests().map(({ path }) => path)).toEqual(['/api/rest/messages']);
	});

	test('finds its message although another run is sending to the number', async () => {
		const match = (contains: string) => ({ path: '/rest/send', contains });
		sandbox.addFault({ match: match('order-3'), effect: { slowMs: 600 }, count: 1 });
		sandbox.addFault({ match: match('order-4'), when: 'after', effect: 'cut', count: 1 });
		const outcomes = ['order-3', 'order-4'].map(async (reference) => {
			const { make, send } = await open();
			return await send(make(1, { reference }));
		});
		expect(await Promise.all(outcomes)).toMatchObject(Array(2).fill([{ status: 'Accepted' }]));
		expect(sandbox.messages()).toHaveLength(2);
	});

	test('ends at once when it is stopped while another run sends with its reference', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { slowMs: 600 }, count: 1 });
		const [one, other] = [await open(), await open(undefined, 5, AbortSignal.timeout(50))];
		const sending = one.send(one.make(1, { reference: 'order-8' }));
		const stopped = await other.send(other.make(1, { reference: 'order-8' }));
		expect(stopped).toMatchObject([{ kind: 'cancelled' }]);
		expect(await sending).toMatchObject([{ status: 'Accepted' }]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('reads history for a duplicate whose outcome is unknown, and sends nothing without knowing', async () => {
		const runs = await Promise.all([open(), open()]);
		sandbox.addFault({ match: { path: '/rest/send' }, effect: 'cut', count: 1 });
		const wanted = { reference: 'order-9', isSkipping: true, isSentOnce: true };
		const outcomes = await Promise.all(
			runs.map(async ({ make, send }) => await send(make(1, wanted))),
		);
		expect(outcomes.flat()).toMatchObject(Array(2).fill({ kind: 'outcomeUnknown' }));
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('ends for 130,000 messages in doubt', async () => {
		const execution = newExecution();
		const { makeAll } = await open(execution);
		const numbers = Array.from({ length: 130_000 }, (_, n) => `9597${79100000 + n}`);
		for (const { entry } of makeAll(numbers, { isSentOnce: true })) leaveInDoubt(entry);
		const again = await open(execution);
		const messages = again.makeAll(numbers, { isSentOnce: true });
		await again.delivery.deliver(messages);
		expect(messages.every(({ outcome }) => isUnknown(outcome))).toBe(true);
		expect(sends()).toEqual([]);
	}, 60_000);

	test('sends messages to one number in the order of the items, others beside them', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 429 }, count: 1 });
		const { makeAll, send } = await open();
		const numbers = Array(12).fill('959779100001').concat('959779100002', '959779100003');
		const messages = makeAll(numbers).map((one, n) => ({
			...one,
			request: { ...one.request, message: `Line ${n}` },
		}));
		await send(...messages);
		const texts = sandbox
			.messages()
			.filter(({ to }) => to.endsWith('1'))
			.map(({ message }) => message);
		expect(texts.sort()).toEqual(texts.length === 12 ? texts : []);
		const left = sends().map(({ body }) => (body as { message: string }).message);
		const lines = [...new Set(left)].filter((line) => !/1[23]$/.test(line));
		expect(lines).toEqual(Array.from({ length: 12 }, (_, n) => `Line ${n}`));
		expect(left.indexOf('Line 13')).toBeLessThan(left.indexOf('Line 5'));
	});

	test('begins nothing after it was stopped', async () => {
		const { delivery, make, send } = await open();
		delivery.stop();
		expect(await send(make(1), make(2))).toMatchObject(Array(2).fill({ kind: 'cancelled' }));
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('sends nothing again after it was stopped', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, effect: 'cut' });
		const { delivery, make, send } = await open();
		const begun = send(make(1));
		await until(async () => sends().length === 1 || undefined, { what: 'a request' });
		delivery.stop();
		expect(await begun).toMatchObject([{ kind: 'outcomeUnknown', facts: { requests: 1 } }]);
		expect(sends()).toHaveLength(1);
	});

	test('takes a message whose reference and text history does not show for the one in doubt', async () => {
		sandbox.configure({ deviate: ['reference-in-history', 'history-text:extended'] });
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
		const { make, send } = await open();
		expect(await send(make(1))).toMatchObject([{ kind: 'outcomeUnknown' }]);
		expect(sends()).toHaveLength(1);
	});

	test('looks up messages in doubt since the first of them, however long ago', async () => {
		const execution = newExecution();
		const { makeAll, account } = await open(execution);
		const numbers = ['959779100001', '959779100002'];
		const days = [0, 3].map((count) => count * 86_400_000);
		const messages = makeAll(numbers);
		messages.forEach(({ entry }, n) => leaveInDoubt(entry, account, days[n]));
		sandbox.seedMessages(2, (n) => ({
			...{ to: numbers[n], message: 'Hello', from: 'MyShop' },
			...{ clientReference: messages[n].entry.reference, createdAtMs: Date.now() - days[n] },
		}));
		const again = await open(execution);
		expect(await again.send(...again.makeAll(numbers))).toMatchObject(
			Array(2).fill({ messageId: expect.any(String) }),
		);
		expect(sends()).toEqual([]);
	});

	test('tells of a doubt in time, though a read would be tried again later', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
		Object.assign(deliveryTiming, { unreadableLastsMs: 30 });
		Object.assign(retryTiming, { firstWaitMs: 60_000, longestBackOffMs: 60_000 });
		const { make, send } = await open();
		const outcomes = await send(make(1)).finally(() => {
			Object.assign(deliveryTiming, { unreadableLastsMs: 15_000 });
			Object.assign(retryTiming, shortRetry);
		});
		expect(outcomes).toMatchObject([
			{ kind: 'outcomeUnknown', facts: { history: 'unreadable', requests: 1 } },
		]);
	});

	test('tells of a message that was sent from another account, and does not send it', async () => {
		const execution = newExecution();
		const { make } = await open(execution);
		const { entry } = make(1);
		leaveInDoubt(entry, 'another');
		const again = await open(execution);
		expect(await again.send(again.make(1))).toMatchObject([
			{ kind: 'outcomeUnknown', facts: { history: 'otherAccount' } },
		]);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	describe('send', () => {
		const times = { ...brakeTiming };
		/** What other tests have left of this account ends with a message that is accepted. */
		beforeEach(async () => {
			Object.assign(brakeTiming, { probeEveryMs: 0 });
			const { make, send } = await open();
			await send(make(9));
			sandbox.reset();
			Object.assign(brakeTiming, { ...times, failures: 2, spreadMs: 0, patienceMs: 100 });
		});
		afterAll(() => Object.assign(brakeTiming, times));
		const held = { kind: 'unavailable', facts: { code: 'heldBack' } };
		const numbersOf = () =>
			new Set(sends().map(({ body }) => (body as { to: string } | undefined)?.to));

		test('waits while the service is down, then holds back what it has not begun, and sends nothing in doubt again', async () => {
			sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 503 } });
			const { make, send } = await open(undefined, 1);
			const outcomes = await send(...[1, 2, 3, 4].map((n) => make(n)));
			expect(outcomes.slice(2)).toMatchObject([held, held]);
			expect(outcomes.slice(0, 2)).toMatchObject(
				Array(2).fill({ kind: 'outcomeUnknown', facts: { status: 503, requests: 1 } }),
			);
			expect([...numbersOf()]).toEqual(['959779100001', '959779100002']);
		});

		test('goes on as soon as the service accepts a message of another execution', async () => {
			Object.assign(brakeTiming, { patienceMs: 5_000 });
			sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 503 }, count: 2 });
			const { make, send } = await open(undefined, 1);
			const begun = send(...[1, 2, 3, 4].map((n) => make(n)));
			await until(async () => sends().length === 2 || undefined, { what: 'two failures' });
			Object.assign(brakeTiming, { probeEveryMs: 0 });
			const other = await open();
			expect(await other.send(other.make(5))).toMatchObject([{ status: 'Accepted' }]);
			expect(await begun).toMatchObject(Array(4).fill({ status: 'Accepted' }));
			expect(sandbox.messages()).toHaveLength(5);
		});
	});
});
