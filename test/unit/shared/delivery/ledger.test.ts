import { Ledger } from '../../../../nodes/shared/delivery/ledger';
import { newExecution, openContext } from '../../../workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };
const sent = { message: 'Hello', from: 'MyShop' };
const record = { messageId: 'a', status: 'Accepted' };
const open = (execution = newExecution(), runIndex = 0) =>
	Ledger.open(openContext(service, { execution, runIndex }));

describe('an entry of the ledger', () => {
	test('is open, under way, and accepted or doubtful', () => {
		const entry = open().entry(0, '959779100001', 0);
		expect(entry.state).toBe('open');
		entry.begin(1000, sent, 'r1');
		expect(entry.state).toBe('underWay');
		entry.doubt(2000, true);
		expect(entry).toMatchObject({
			state: 'doubtful',
			isAfterTimeOut: true,
			requests: 1,
			endedAt: 2000,
		});
		expect(entry.window).toEqual({ from: 1000, to: 2000 + 120_000 });
		entry.accept(record);
		expect(entry).toMatchObject({ state: 'accepted', record, sent: undefined });
	});

	test('stays doubtful by an earlier request when a later one is refused', () => {
		const entry = open().entry(0, '959779100001', 0);
		entry.begin(1000, sent, 'r1');
		entry.doubt(2000, false);
		entry.begin(3000, sent, 'r2');
		entry.refuse();
		expect(entry).toMatchObject({ state: 'doubtful', requests: 2 });
		expect(entry.window.from).toBe(1000);
	});

	test('is open again when its only request was refused', () => {
		const entry = open().entry(0, '959779100001', 0);
		entry.begin(1000, sent, 'r1');
		entry.refuse();
		expect(entry.state).toBe('open');
	});

	test('that was under way when the process ended is doubtful in the next try', () => {
		const execution = newExecution();
		open(execution).entry(0, '959779100001', 0).begin(1000, sent, 'r1');
		const again = open(execution).entry(0, '959779100001', 0);
		expect(again).toMatchObject({ state: 'doubtful', isAfterTimeOut: true });
	});
});

describe('the ledger', () => {
	test('has the same reference in every try, another for each place, and 50 characters at most', () => {
		const execution = newExecution();
		const references = (ledger: Ledger) =>
			[
				ledger.entry(0, '959779100001', 0),
				ledger.entry(0, '959779100001', 1),
				ledger.entry(0, '959779100002', 0),
				ledger.entry(99_999, '959779100001', 0),
			].map(({ reference }) => reference);
		const first = references(open(execution));
		expect(references(open(execution))).toEqual(first);
		expect(new Set([...first, ...references(open(execution, 1)), ...references(open())]).size).toBe(
			12,
		);
		expect(first.every((reference) => reference.length <= 50)).toBe(true);
	});

	test('gives back what was accepted in an earlier try, until its run is forgotten', () => {
		const execution = newExecution();
		open(execution).entry(0, '959779100001', 0).accept(record);
		expect(open(execution).records()).toEqual([record]);
		expect(open(execution, 1).records()).toEqual([]);
		open(execution).forgetRun();
		expect(open(execution).records()).toEqual([]);
	});
});
