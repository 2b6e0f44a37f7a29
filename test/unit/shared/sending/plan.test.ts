import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../../../tools/harness/inCollections';
import { options } from '../../../../nodes/SmsSend/send.operation';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import type { Doubt } from '../../../../nodes/shared/delivery/message';
import { OptionReader } from '../../../../nodes/shared/options/reader';
import { createFieldReader } from '../../../../nodes/shared/options/fields';
import { ItemResults } from '../../../../nodes/shared/n8n/items';
import { type Message, takeUp } from '../../../../nodes/shared/sending/message';
import { readPlan, type Run } from '../../../../nodes/shared/sending/plan';
import {
	newExecution,
	nowhere,
	openContext,
	type Circumstances,
} from '../../../support/workflow/openContext';

const mapped = { to: '={{ $json.to }}', message: '={{ $json.message }}', from: 'MyShop' };
const [a, b, c] = ['959791234567', '959791234568', '+6591234567'];
const rows = [
	{ to: a, message: 'One' },
	{ to: 'nobody', message: 'Two' },
	{ to: `${b}, ${c}`, message: 'Three' },
	{ to: a, message: '' },
];

const begin = (given: IDataObject = {}, circumstances: Circumstances = {}) => {
	const parameters = { ...mapped, ...inCollections(given) };
	const context = openContext(nowhere, { items: rows, parameters, ...circumstances });
	const readField = createFieldReader(context);
	const reader = OptionReader.of(context, options, readField);
	const client = {
		requireReachable: () => undefined,
		serviceTimeZone: 'Asia/Yangon',
		defaults: {},
	};
	const run = { context, readField, options: reader, client, values: reader.ofRun() };
	const results = new ItemResults(context);
	return { ...run, results, channel: { hasReference: true } } as unknown as Run;
};
const plan = async (run: Run, before: (ledger: Ledger) => void = () => undefined) => {
	await Ledger.use(run.context, async (ledger) => before(ledger));
	return await Ledger.use(run.context, async (ledger) => await readPlan({ ...run, ledger }));
};
const one = { to: a, isTest: false };
const sent = { message: 'One', from: 'MyShop', account: 'account' };
const doubt: Doubt = { since: 1000, until: 2000, isLate: false, request: 'r1', sent };

describe('the plan of a run', () => {
	test('names each recipient of a wrong item, of any type, whom no earlier attempt has reached', async () => {
		const odd = [{ toString: 1 }, [{ toString: 1 }], Symbol('a'), undefined];
		const items = [`${a}, ${b}, nobody`, ...odd].map((to) => ({ to, message: 'One' }));
		const { messages, faults } = await plan(begin({}, { items: items as never }), (ledger) => {
			ledger.notes([one])[0].note.record = { messageId: '1' } as never;
		});
		expect(messages).toMatchObject([{ to: a, record: { messageId: '1' } }]);
		expect(faults[0].recipients).toEqual([b, 'nobody']);
		expect(faults.slice(1).map(({ recipients }) => recipients.length)).toEqual([1, 1, 1, 1]);
	});

	test('looks up as it was sent what an earlier attempt left in doubt, for an item that is now wrong', async () => {
		const run = begin({}, { items: [{ to: b, message: '' }] });
		const sent = { message: 'Hello', from: 'MyShop', clientReference: 'order-1', account: 'a' };
		const made = await plan(run, (ledger) => {
			ledger.notes([{ ...one, to: b }])[0].note.doubt = { ...doubt, sent };
		});
		expect(made.faults).toEqual([]);
		expect(made.messages).toMatchObject([
			{
				to: b,
				outgoing: { isSentOnce: true, isUsersReference: true, request: { ...sent, to: b } },
			},
		]);
	});

	test('does not skip what may have been sent, and does not send it again', async () => {
		const { messages } = await plan(begin({ doNotSendTo: `${a}, ${b}` }), (ledger) => {
			ledger.notes([one])[0].note.doubt = doubt;
		});
		expect(messages.map(({ skipped }) => skipped)).toEqual([
			undefined,
			{ skipped: 'optedOut' },
			undefined,
		]);
		expect(messages[0].outgoing).toMatchObject({ isSentOnce: true });
	});
});

describe('message', () => {
	const isSentOnce = async (more: object, whenOutcomeUnknown: 'sendAgain' | 'report') =>
		await Ledger.use(openContext(nowhere), async (ledger) => {
			const request = { message: 'One', from: 'MyShop', ...more };
			const message = { to: a, draft: { request }, values: { whenOutcomeUnknown } } as Message;
			takeUp(message, ledger.notes([one])[0], true);
			return message.outgoing?.isSentOnce;
		});

	test('is sent once where it is to be reported, and where it is scheduled', async () => {
		const scheduled = { scheduledAt: '2031-01-01 09:00:00' };
		expect(await isSentOnce({}, 'sendAgain')).toBe(false);
		expect(await isSentOnce({}, 'report')).toBe(true);
		expect(await isSentOnce(scheduled, 'sendAgain')).toBe(true);
	});
});

test('a run of many items lets others have their turn', async () => {
	const items = Array.from({ length: 20_000 }, (_, n) => ({
		to: `09791${String(100_000 + n)}`,
		message: 'Hello',
	}));
	let turns = 0;
	const count = setInterval(() => (turns += 1), 1);
	const { messages } = await plan(begin({}, { items, execution: newExecution() }));
	clearInterval(count);
	expect(messages).toHaveLength(20_000);
	expect(turns).toBeGreaterThan(0);
});
