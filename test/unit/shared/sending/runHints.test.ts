import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import { describeOutcome } from '../../../../nodes/shared/sending/runHints';

const words = (hints: Array<{ message: string }>) => hints.map(({ message }) => message);

describe('the hint about what a run came to', () => {
	const draft = { charge: { parts: 2, encoding: 'GSM-7' } };
	const planned = (outcome: unknown, item = 0) => ({
		...{ item, to: '959791234567', draft },
		outgoing: { outcome },
	});
	const of = (messages: object[], invalid = new Map<number, unknown>(), given: unknown[] = []) =>
		words(describeOutcome({ planned: messages, invalid } as never, given));
	const sent = planned({ messageId: '1' });
	const lost = planned(new ServiceError('outcomeUnknown', { mayHaveActed: true }));

	test('counts what was sent, skipped, in doubt and not sent', () => {
		const skipped = { item: 0, to: '959791234567', skipped: 'duplicate' };
		const found = planned({ messageId: '2', alreadySent: true });
		const rejected = planned(new ServiceError('rejected'));
		expect(of([sent, sent, skipped, found, lost, rejected, planned(undefined)])).toEqual([
			'2 sent (4 parts), 2 skipped, 1 may have been sent: see error, 2 not sent: see error. Executing again sends all 5. To send only the other 3, turn on Skip If Already Sent first.',
		]);
	});

	test('counts every recipient of an item that could not be read, but none twice', () => {
		const invalid = new Map([[1, new Error()]]);
		const earlier = { item: 1, to: '959791234567', record: { messageCount: 3 } };
		expect(of([earlier], invalid, ['', '09791234567, 09791234568, nobody'])).toEqual([
			expect.stringContaining('1 sent (3 parts), 2 not sent: see error. Executing again'),
		]);
		expect(of([sent], invalid)).toEqual([
			expect.stringContaining('1 sent (2 parts), 1 not sent: see error. Executing again'),
		]);
	});

	test('says what executing again would send, unless Skip If Already Sent is on', () => {
		const all = (outgoing: object) =>
			of([
				{ ...sent, outgoing: { ...sent.outgoing, ...outgoing } },
				{ ...sent, outgoing: { ...outgoing, outcome: new ServiceError('rejected') } },
			])[0];
		const own = { request: { clientReference: 'order-1' }, isUsersReference: true };
		const ours = { request: { clientReference: 'n8n-1' }, isUsersReference: false };
		const again = 'Executing again sends all 2. To send only the other 1, ';
		expect(all({ request: {} })).toContain(`${again}turn on Skip If Already Sent first.`);
		expect(all(own)).toContain(`${again}turn on Skip If Already Sent first.`);
		expect(all(ours)).toContain(`${again}leave out the items that were sent.`);
		const mixed = [own, ours].map((outgoing) => ({
			...sent,
			outgoing: { ...sent.outgoing, ...outgoing },
		}));
		const rejected = { ...sent, outgoing: { ...own, outcome: new ServiceError('rejected') } };
		expect(of([...mixed, rejected])[0]).toContain('leave out the items that were sent.');
		expect(all({ ...own, isSkipping: true })).not.toContain('Executing again');
		expect(of([sent, sent])[0]).not.toContain('Executing again');
	});

	test('is not given for a single message', () => {
		expect(of([sent])).toEqual([]);
		expect(of([lost])).toEqual([]);
	});
});
