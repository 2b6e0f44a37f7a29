import type { IDataObject } from 'n8n-workflow';

import { Ledger } from '../../nodes/shared/delivery/ledger';
import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import { until } from '../../scripts/n8n/until';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	second,
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from './deliveryTools';
import { newExecution, openContext } from './openContext';
import { runAgainst } from './runAgainst';
import { useSandbox } from './useSandbox';

const nodes = [
	{ type: 'SmsSend', path: '/rest/send' },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk' },
] as const;

/** Of the nodes, and of the answers that come too late, in milliseconds. */
const timeout = 250;
const late = 500;
const settings = { onError: 'continueRegularOutput' } as const;
/** Longer than any doubt. */
const neverMs = 1_000_000;

const soon = async (what: string, isSo: () => boolean) =>
	await until(async () => isSo() || undefined, { what, timeoutMs: 10_000, everyMs: 2 });

describe.each(nodes)('$type and an answer that comes after the time-out', ({ type, path }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	useScaledTimes();
	const sends = () => sandbox.requests().filter((request) => request.path.endsWith(path));
	const send = async (wanted: WantedMessage[], more = {}) =>
		await run({ ...mapped, options: { timeout } }, { items: wanted, settings, ...more });

	test('is an acceptance, which history need not show', async () => {
		const wanted = wantedMessages(3);
		sandbox.configure({ historyLagMs: neverMs });
		sandbox.addFault({ match: { path }, effect: { slowMs: late } });
		const { json } = await send(wanted);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(3));
		expect(sends()).toHaveLength(type === 'SmsSend' ? 3 : 1);
	});

	test('is the refusal of a recipient, who is not asked for again', async () => {
		const [accepted, refused] = wantedMessages(2);
		refused.to = '959000000011';
		sandbox.configure({ historyLagMs: neverMs });
		sandbox.addFault({ match: { path }, effect: { slowMs: late } });
		const { json } = await send([accepted, refused]);
		expect(json.map(({ status, error }) => error ?? status)).toEqual([
			'Accepted',
			'The service refused: Invalid Sender ID [item 1]',
		]);
		expect(sends()).toHaveLength(type === 'SmsSend' ? 2 : 1);
	});

	test('and refuses leaves no doubt: the next try sends at once', async () => {
		const [wanted] = wantedMessages(1);
		sandbox.configure({ latencyMs: late });
		const effect = { status: 400, body: { message: 'Not now.' } };
		sandbox.addFault({ match: { path }, effect, count: 1 });
		const running = send([wanted], { settings: retryOnFail });
		await soon('a request', () => sends().length > 0);
		sandbox.configure({ latencyMs: 0 });
		const { json } = await running;
		expect(accountFor(sandbox, [wanted], json)).toEqual(allOnce(1));
		const [refused, sent] = sends().map(({ at }) => at);
		expect(sent - refused).toBeLessThan(late + deliveryTiming.doubtAfterTimeOutLastsMs / 2);
	});
});

describe('a bulk request that fails after the time-out', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const path = '/rest/send/bulk';
	const sends = () => sandbox.requests().filter((request) => request.path.endsWith(path));

	/** The service acts, and what it answers comes late; history is asked at once. */
	const sendAndFail = async (
		wanted: WantedMessage[],
		status: number,
		options: IDataObject = {},
	) => {
		sandbox.configure({ latencyMs: late });
		const effect = { status, body: { message: 'Too late.' } };
		sandbox.addFault({ match: { path }, when: 'after', effect });
		const running = run(
			{ ...mapped, options: { timeout, ...options } },
			{ items: wanted, settings },
		);
		await soon('a request', () => sends().length > 0);
		sandbox.configure({ latencyMs: 0 });
		return await running;
	};

	test('leaves those accepted that history has shown in the meantime', async () => {
		const wanted = wantedMessages(2);
		sandbox.configure({ bulkLagMs: neverMs });
		const { json, run: done } = await sendAndFail(wanted, 500);
		expect(accountFor(sandbox, wanted, json)).toMatchObject({ accepted: 1, unknown: 1 });
		const ledger = Ledger.open(
			openContext(sandbox, { execution: { ...newExecution(), ...done.data } }),
		);
		expect(ledger.describe()).toBe('messages accepted: 1, under way: 0, in doubt: 1');
	});

	test('with a 4xx is looked up like one that fails in time', async () => {
		const wanted = wantedMessages(2);
		sandbox.configure({ historyLagMs: late + 20 * second });
		const { json } = await sendAndFail(wanted, 402);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(2));
		expect(sends()).toHaveLength(1);
	});

	test('with a 4xx, and is in no history, is told in the words of the service and not sent again', async () => {
		sandbox.configure({ historyLagMs: neverMs });
		const { json } = await sendAndFail(wantedMessages(2), 402);
		expect(json.map(({ error }) => error)).toEqual(
			[0, 1].map((item) => `The service refused: Too late. [item ${item}]`),
		);
		expect(sends()).toHaveLength(1);
	}, 20_000);
});
