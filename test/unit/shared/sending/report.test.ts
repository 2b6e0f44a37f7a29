import { ServiceError } from '../../../../nodes/shared/client/failure';
import {
	describeDuplicates,
	describeOutcome,
	describeScheduled,
	describeUndelivered,
	describeUnsent,
} from '../../../../nodes/shared/sending/report';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';
import { skipSome } from '../../../../nodes/shared/sending/planned';

describe('the hint about what a run came to', () => {
	const draft = { charge: { parts: 2, encoding: 'GSM-7' } };
	const planned = (outcome: unknown, item = 0) => ({
		...{ item, to: '959791234567', draft, values: {} },
		outgoing: { outcome },
	});
	const of = (
		messages: object[],
		invalid = new Map<number, unknown>(),
		given: unknown[] = [],
		isSingle = false,
	) => [describeOutcome({ planned: messages, invalid, given } as never, isSingle)].filter(Boolean);
	const sent = planned({ messageId: '1' });
	const lost = planned(new ServiceError('outcomeUnknown', { mayHaveActed: true }));

	test('counts what was sent, skipped, in doubt and not sent', () => {
		const skipped = { item: 0, to: '959791234567', values: {}, skipped: 'duplicate' };
		const found = planned({ messageId: '2', alreadySent: true });
		const rejected = planned(new ServiceError('rejected'));
		expect(of([sent, sent, skipped, found, lost, rejected, planned(undefined)])).toEqual([
			'2 sent (4 parts), 2 skipped, 1 may have been sent: see error, 2 not sent: see error. If you execute this again, all 5 are sent. To send only the remaining 3, turn on Skip If Already Sent first.',
		]);
	});

	test('counts every recipient of an item that could not be read, but none twice', () => {
		const invalid = new Map([[1, new Error()]]);
		const earlier = { item: 1, to: '959791234567', values: {}, record: { messageCount: 3 } };
		expect(of([earlier], invalid, ['', '09791234567, 09791234568, nobody'])).toEqual([
			expect.stringContaining('1 sent (3 parts), 2 not sent: see error. If you execute this again'),
		]);
		expect(of([sent], invalid)).toEqual([
			expect.stringContaining('1 sent (2 parts), 1 not sent: see error. If you execute this again'),
		]);
	});

	test('says what executing again would send, unless Skip If Already Sent is on', () => {
		const rejected = planned(new ServiceError('rejected'));
		const all = (values: object, isSingle = true) =>
			of(
				[
					{ ...sent, values },
					{ ...rejected, values },
				],
				undefined,
				[],
				isSingle,
			)[0];
		const clientReference = 'order-1';
		const again = 'If you execute this again, all 2 are sent. To send only the remaining 1, ';
		expect(all({}, false)).toContain(`${again}turn on Skip If Already Sent first.`);
		expect(all({ clientReference })).toContain(`${again}turn on Skip If Already Sent first.`);
		expect(all({})).toContain(`${again}leave out the items that were sent.`);
		const mixed = [{ ...sent, values: { clientReference } }, sent, rejected];
		expect(of(mixed, undefined, [], true)[0]).toContain('leave out the items that were sent.');
		expect(all({ clientReference, skipIfAlreadySent: true })).not.toContain('execute this again');
		for (const none of [
			[sent, sent],
			[lost, lost],
		])
			expect(of(none)[0]).not.toContain('execute this again');
		expect(of([sent, lost])[0]).toContain(`${again}turn on`);
	});

	test('says in the next attempt what it said in the first', () => {
		const earlier = { item: 0, to: '959791234567', values: {}, record: { messageCount: 1 } };
		const invalid = new Map([[1, new Error()]]);
		expect(of([earlier, earlier], invalid, [], true)[0]).toContain(
			'leave out the items that were sent.',
		);
	});

	test('counts a recipient of any type', () => {
		const invalid = new Map([[1, new Error()]]);
		for (const given of [{ toString: 1 }, [{ toString: 1 }], Symbol('a')])
			expect(of([sent], invalid, ['', given])[0]).toContain('1 sent (2 parts), 1 not sent');
	});

	test('counts one part as one', () => {
		const short = { ...sent, draft: { charge: { parts: 1, encoding: 'GSM-7' } } };
		expect(of([short, planned(undefined)])[0]).toContain('1 sent (1 part), 1 not sent');
	});

	test('is not given for a single message', () => {
		expect(of([sent])).toEqual([]);
		expect(of([lost])).toEqual([]);
	});
});

describe('the hint about schedules', () => {
	const at = Date.UTC(2030, 0, 5, 2, 30);
	const planned = (more: object = {}, values: object = {}) => ({
		draft: { scheduled: { at, timeZone: 'Asia/Yangon', isMoved: false, hasOffset: true, ...more } },
		values,
		outgoing: { outcome: { messageId: '1' } },
	});
	const of = (all: object[], zone = 'Asia/Yangon') => describeScheduled(all as never, zone);
	const first = 'scheduled, the first for Saturday 2030-01-05 at 09:00 (Asia/Yangon).';
	const safe = { skipIfAlreadySent: true };

	test('says when, and what executing again does', () => {
		expect(of([planned({}, safe)])).toBe(`1 message is ${first}`);
		expect(of([planned()])).toContain('If you execute this again, it is scheduled again.');
		const later = planned({ at: at + 60_000 }, safe);
		for (const both of [
			[later, planned()],
			[planned(), later],
		])
			expect(of(both)).toContain(`2 messages are ${first} If you execute this again`);
		const others = [
			{ ...planned(), outgoing: { outcome: new Error() } },
			{ ...planned(), outgoing: { outcome: { messageId: '2', alreadySent: true } } },
			{ ...planned(), outgoing: undefined, skipped: 'optedOut' },
		];
		expect(of(others)).toBe('');
		expect(of([planned({}, safe), ...others])).toBe(`1 message is ${first}`);
	});

	test("mentions n8n's default time zone where the time was converted in it", () => {
		const mentioned = "This workflow's time zone is America/New_York";
		const told = (hasOffset: boolean, zone: string) => of([planned({ hasOffset }, safe)], zone);
		expect(told(true, 'America/New_York')).toContain(mentioned);
		expect(told(true, 'Asia/Yangon')).not.toContain(mentioned);
		expect(told(false, 'America/New_York')).not.toContain(mentioned);
	});
});

test('the hint about messages that were not delivered twice counts them', () => {
	const planned = { outgoing: { outcome: { alreadySent: true, status: 'Undelivered' } } };
	const of = (all: object[]) => describeUndelivered(all as never);
	expect(of([planned])).toMatch(/^1 message was already sent twice .*, so it was not sent again/);
	expect(of([planned, planned])).toMatch(/^2 messages were .*, so they were not sent again/);
	expect(of([{ outgoing: { outcome: { alreadySent: true, status: 'Delivered' } } }, {}])).toBe('');
});

test('the hint about duplicates names first those whose text is lost', () => {
	const given = ['Ma Hla', 'Ko Ko', 'Ma Ma', 'U Ba', 'Su Su'].map((name) => ({ json: { name } }));
	const context = openContext(nowhere, { items: given.map(({ json }) => json) });
	const texts = ['Hello', 'Hello', 'Other', 'Hello', 'Hello'];
	const planned = texts.map((message, item) => ({
		...{ item, to: '959791234567', values: {}, draft: { request: { message } } },
		...(item > 0 && { skipped: 'duplicate' }),
	}));
	expect(describeDuplicates(context, planned as never)).toBe(
		'Skip Duplicates: 4 not sent, because an earlier item has the same number (Ma Ma, 959791234567; Ko Ko, 959791234567; U Ba, 959791234567 and 1 more). The text differs in 1 of them.',
	);
	expect(describeDuplicates(context, planned.slice(0, 2) as never)).toMatch(/\(Ko Ko, \d+\)\.$/);
});

describe('describeUnsent', () => {
	const to = '959779100001';

	test('an input error says that nothing was sent, and claims nothing about earlier attempts', async () => {
		const context = openContext(nowhere, { execution: newExecution(), workflowId: 'workflow' });
		expect(describeUnsent(context, false)).toBe('Nothing was sent.');
		expect(describeUnsent(context, true)).toBe('Nothing was sent for this item.');
		const laterPass = openContext(nowhere, { execution: newExecution(), runIndex: 2 });
		expect(describeUnsent(laterPass, false)).toBe('Nothing was sent in this attempt.');
		const retry = openContext(nowhere, { mode: 'retry' });
		expect(describeUnsent(retry, false)).toBe('Nothing was sent in this attempt.');
		await Ledger.use(context, async (ledger) => {
			const sent = { message: 'Hello', from: 'MyShop', account: 'account' };
			const [{ note }] = ledger.notes([{ to, isTest: false }]);
			note.doubt = { since: 1000, until: 2000, isLate: false, request: 'r1', sent };
		});
		expect(describeUnsent(context, false)).toBe('Nothing was sent in this attempt.');
		expect(describeUnsent(context, true)).toBe('Nothing was sent for this item in this attempt.');
	});
});

describe('skipSome', () => {
	const a = '959791234567';
	const b = '+6591234567';
	const onlyDuplicates = { skipDuplicates: true, doNotSendTo: new Set<string>() };
	const toMessage = (to: string, note: object = {}) =>
		({ ...{ item: 0, to, values: {} }, outgoing: { note } }) as never;
	const open = (...numbers: string[]) => numbers.map((to) => toMessage(to));
	const reasons = (...given: Parameters<typeof skipSome>) =>
		skipSome(...given).map(({ skipped }) => skipped);

	describe('who is skipped', () => {
		test('is every number but the first of it', () => {
			expect(reasons(onlyDuplicates, open(a, a, b, b, a))).toEqual([
				...[undefined, 'duplicate', undefined],
				...['duplicate', 'duplicate'],
			]);
		});

		test('is the first of a number if another was begun in an earlier attempt', () => {
			const messages = [...open(a), toMessage(a, { doubt: {} }), ...open(a)];
			expect(reasons(onlyDuplicates, messages)).toEqual([...['duplicate', undefined, 'duplicate']]);
		});

		test('is who opted out, before it is a duplicate', () => {
			const values = { skipDuplicates: true, doNotSendTo: new Set([a]) };
			expect(reasons(values, open(a, a, b))).toEqual(['optedOut', 'optedOut', undefined]);
		});

		test('is not a duplicate where only opt-outs are skipped', () => {
			const values = { skipDuplicates: false, doNotSendTo: new Set(['6591234567']) };
			expect(reasons(values, open(a, a, b))).toEqual([undefined, undefined, 'optedOut']);
		});

		test('is who opted out with a national zero, and a duplicate with one', () => {
			const values = { skipDuplicates: true, doNotSendTo: new Set(['447911123456']) };
			const numbers = ['+4407911123456', '+491511234567', '+4901511234567'];
			expect(reasons(values, open(...numbers))).toEqual(['optedOut', undefined, 'duplicate']);
		});
	});
});
