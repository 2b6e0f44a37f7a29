import { ServiceError } from '../../../../nodes/shared/client/failure';
import { howToRetry } from '../../../../nodes/shared/client/texts';
import {
	describeOutcome,
	describeStopped,
	describeUnsent,
} from '../../../../nodes/shared/sending/report';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';
import { skipSome } from '../../../../nodes/shared/sending/planned';

describe('the hint about what a run came to', () => {
	const draft = { request: {}, charge: { parts: 2, encoding: 'GSM-7' } };
	const planned = (outcome: unknown, item = 0) => ({
		...{ item, to: '959791234567', draft, values: {} },
		outgoing: { outcome },
	});
	const of = (messages: object[], invalid: object[] = [], given: unknown[] = []) =>
		[describeOutcome({ planned: messages, invalid, given } as never)].filter(Boolean);
	const sent = planned({ messageId: '1' });
	const lost = planned(new ServiceError('outcomeUnknown', { mayHaveActed: true }));

	test('counts what was sent, skipped, in doubt and not sent', () => {
		const skipped = { item: 0, to: '959791234567', values: {}, skipped: 'duplicate' };
		const found = planned({ messageId: '2', alreadySent: true });
		const rejected = planned(new ServiceError('rejected'));
		expect(of([sent, sent, skipped, found, lost, rejected, planned(undefined)])).toEqual([
			'2 sent (4 parts), 1 skipped, 1 already sent, 1 may have been sent: see error, 2 not sent: see error.',
		]);
	});

	test('counts every recipient of an item that could not be read, but none twice', () => {
		const invalid = [{ item: 1, error: new Error() }];
		const earlier = { item: 1, to: '959791234567', values: {}, record: { messageCount: 3 } };
		expect(of([earlier], invalid, ['', '09791234567, 09791234568, nobody'])).toEqual([
			'1 sent (3 parts), 2 not sent: see error.',
		]);
		expect(of([sent], invalid)).toEqual(['1 sent (2 parts), 1 not sent: see error.']);
	});

	test('counts what was found with another text, even for a single message', () => {
		const own = { ...draft, request: { message: 'On its way' } };
		const found = (more: object = {}) => ({
			...planned({ messageId: '2', alreadySent: true, message: 'Confirmed', ...more }),
			draft: own,
		});
		expect(of([found()])).toEqual(['0 sent (0 parts), 1 already sent (1 with another text).']);
		for (const more of [{ message: 'On its  way' }, { encryptMessage: true }, { message: '***' }])
			expect(of([found(more), sent])).toEqual(['1 sent (2 parts), 1 already sent.']);
	});

	test('counts only the wrong one of several recipients', () => {
		const invalid = [{ item: 0, entry: 'nobody', error: new Error() }];
		expect(of([sent], invalid, ['09791234567, nobody'])).toEqual([
			'1 sent (2 parts), 1 not sent: see error.',
		]);
	});

	test('counts a recipient of any type', () => {
		const invalid = [{ item: 1, error: new Error() }];
		for (const given of [{ toString: 1 }, [{ toString: 1 }], Symbol('a')])
			expect(of([sent], invalid, ['', given])[0]).toContain('1 sent (2 parts), 1 not sent');
	});

	test('counts one part as one', () => {
		const short = { ...sent, draft: { ...draft, charge: { parts: 1, encoding: 'GSM-7' } } };
		expect(of([short, planned(undefined)])[0]).toContain('1 sent (1 part), 1 not sent');
	});

	test('is not given for a single message', () => {
		expect(of([sent])).toEqual([]);
		expect(of([lost])).toEqual([]);
	});
});

describe('describeStopped', () => {
	const planned = (outcome?: object) => ({ to: '959791234567', values: {}, outgoing: { outcome } });
	const of = (said: string, ...outcomes: Array<object | undefined>) =>
		describeStopped({ planned: outcomes.map(planned), invalid: [], given: [] } as never, said);

	test('says how to send the rest, unless the error says so already', () => {
		const told = of('', { messageId: '1' }, undefined);
		expect(told).toMatch(/^Of the messages, 1 was sent \(959791234567\), 1 was not sent\. To send/);
		expect(told).toContain(howToRetry);
		expect(of(`Or ${howToRetry}`, { messageId: '1' }, undefined)).not.toContain(howToRetry);
	});

	test('says nothing of a run that sent nothing, or of a single message', () => {
		expect([of('', undefined, undefined), of('', { messageId: '1' })]).toEqual(['', '']);
	});
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
	const toMessage = (to: string, note: object = {}, message = 'Hello') =>
		({ ...{ item: 0, to, values: {} }, outgoing: { request: { message }, note } }) as never;
	const open = (...numbers: string[]) => numbers.map((to) => toMessage(to));
	const reasons = (...given: Parameters<typeof skipSome>) =>
		skipSome(...given).map(({ skipped }) => skipped);

	describe('who is skipped', () => {
		test('is every text to a number but the first of it', () => {
			expect(reasons(onlyDuplicates, open(a, a, b, b, a))).toEqual([
				...[undefined, 'duplicate', undefined],
				...['duplicate', 'duplicate'],
			]);
			const other = toMessage(a, {}, 'Other');
			expect(reasons(onlyDuplicates, [...open(a), other])).toEqual([undefined, undefined]);
		});

		test('is what was accepted with the same text, whatever the service shows of it', () => {
			const draft = { request: { message: 'Hello' } };
			const accepted = { item: 0, to: a, values: {}, record: { message: '***' }, draft } as never;
			expect(reasons(onlyDuplicates, [accepted, ...open(a)])).toEqual([undefined, 'duplicate']);
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
