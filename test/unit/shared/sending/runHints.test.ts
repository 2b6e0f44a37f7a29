import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import {
	describeOutcome,
	describeRepeats,
	describeUnknownFields,
} from '../../../../nodes/shared/sending/runHints';

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
		const rejected = planned(new ServiceError('refused'));
		expect(of([sent, sent, skipped, found, lost, rejected, planned(undefined)])).toEqual([
			'2 sent (4 parts), 2 skipped, 1 may have been sent: see error, 2 not sent: see error.',
		]);
	});

	test('counts every recipient of an item that could not be read, but none twice', () => {
		const invalid = new Map([[1, new Error()]]);
		const earlier = { item: 1, to: '959791234567', record: { messageCount: 3 } };
		expect(of([earlier], invalid, ['', '09791234567, 09791234568, nobody'])).toEqual([
			'1 sent (3 parts), 2 not sent: see error.',
		]);
		expect(of([sent], invalid)).toEqual(['1 sent (2 parts), 1 not sent: see error.']);
	});

	test('is not given for a single message', () => {
		expect(of([sent])).toEqual([]);
		expect(of([lost])).toEqual([]);
	});
});

describe('the hint about fields that no item has', () => {
	const items = [{ json: { phone: '0979' } }, { json: { name: 'Thida' } }];
	const of = (message: string) => words(describeUnknownFields({ message }, items));

	test.each(['={{ $json.Naem }}', '=Hi {{$json["Naem"]}}', '=Hi {{ $json.Naem.trim() }}'])(
		'names the field of %s',
		(message) => {
			expect(of(message)).toEqual([
				'Message uses the field Naem, which no item has. Check its spelling.',
			]);
		},
	);

	test.each([
		'Hello $json.Naem',
		'=Hello $json.Naem',
		'={{ $json.name }}',
		'={{ $json.phone.slice(1) }}',
		'={{ $json.Naem || "customer" }}',
		'={{ $json.Naem ?? "customer" }}',
		'={{ $json.Naem ? "a" : "b" }}',
		'={{ $json.keys() }}',
		'={{ $("Other").item.json.Naem }}',
	])('is not given for %s', (message) => {
		expect(of(message)).toEqual([]);
	});
});

describe('the hint about a number that is repeated', () => {
	const message = (item: number, to: string) => ({ item, to, outgoing: {} });
	const of = (...planned: object[]) =>
		words(describeRepeats({ planned, invalid: new Map() } as never));

	test('names the first, and counts the others', () => {
		const twice = [message(2, '959791234567'), message(2, '959791234567')];
		expect(of(...twice)).toEqual([
			'To of item 2 has 959791234567 more than once, and each gets its own message. To send only one, use Skip Duplicates.',
		]);
		expect(of(...twice, ...twice)).toEqual([expect.stringContaining('There are 3 such repeats.')]);
	});

	test('is not given for different items, nor for what is skipped', () => {
		const skipped = { item: 1, to: '959791234567', skipped: 'duplicate' };
		expect(of(message(0, '959791234567'), message(1, '959791234567'), skipped)).toEqual([]);
	});
});
