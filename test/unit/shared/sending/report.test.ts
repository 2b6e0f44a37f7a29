import { ServiceError } from '../../../../nodes/shared/client/failure';
import { howToRetry } from '../../../../nodes/shared/client/texts';
import {
	describeRun,
	describeStopped,
	describeUnsent,
} from '../../../../nodes/shared/sending/report';
import { Ledger } from '../../../../nodes/shared/delivery/memory';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';
import { type RunValues, skipSome } from '../../../../nodes/shared/sending/message';

describe('the hint about what a run came to', () => {
	const draft = { request: {}, charge: { parts: 2, encoding: 'GSM-7' } };
	const planned = (outcome: unknown, item = 0) => ({
		...{ item, to: '959791234567', draft, values: {} },
		outgoing: { outcome },
	});
	const of = (messages: object[], faults: object[] = []) =>
		[describeRun({ messages, faults } as never)].filter(Boolean);
	const sent = planned({ messageId: '1' });
	const lost = planned(new ServiceError('outcomeUnknown', { mayHaveActed: true }));

	test('counts what was sent, skipped, in doubt and not sent', () => {
		const skipped = { item: 0, values: {}, skipped: { skipped: 'optedOut' } };
		const found = planned({ messageId: '2', alreadySent: true });
		const rejected = planned(new ServiceError('rejected'));
		expect(of([sent, sent, skipped, found, lost, rejected, planned(undefined)])).toEqual([
			'2 sent (4 parts), 1 skipped, 1 already sent, 1 may have been sent: see error, 2 not sent: see error.',
		]);
	});

	test('counts every recipient of an item that could not be read', () => {
		const invalid = [{ item: 1, error: new Error(), recipients: ['09791234568', 'nobody'] }];
		const earlier = { item: 1, to: '959791234567', values: {}, record: { messageCount: 3 } };
		expect(of([earlier], invalid)).toEqual(['1 sent (3 parts), 2 not sent: see error.']);
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
		describeStopped({ messages: outcomes.map(planned), faults: [] } as never, said);

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

describe('who is skipped', () => {
	const skip = (values: Partial<RunValues>, all: object[]) => {
		const given = { skipDuplicates: true, doNotSendTo: new Set<string>(), ...values };
		return skipSome(given, all as never, String).map(({ skipped }) => skipped?.skipped);
	};
	const draft = { request: { message: 'Hello' } };
	const open = (to: string) => ({ item: 0, to, values: {}, draft, outgoing: { note: {} } });

	test('is what was accepted with the same text, whatever the service shows of it', () => {
		const accepted = { ...open('959791234567'), outgoing: undefined, record: { message: '***' } };
		expect(skip({}, [accepted, open(accepted.to)])).toEqual([undefined, 'duplicate']);
	});

	test('is who opted out with a national zero, and a duplicate with one', () => {
		const numbers = ['+4407911123456', '+491511234567', '+4901511234567'].map(open);
		const doNotSendTo = new Set(['447911123456']);
		expect(skip({ doNotSendTo }, numbers)).toEqual(['optedOut', undefined, 'duplicate']);
	});
});
