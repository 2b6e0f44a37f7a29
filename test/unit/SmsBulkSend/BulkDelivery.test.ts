import fc from 'fast-check';

import { collapse } from '../../../nodes/SmsBulkSend/BulkDelivery';

const unlike = fc.uniqueArray(
	fc.record({
		to: fc.constantFrom('959779100001', '959779100002', '+6591234567'),
		message: fc.constantFrom('One', 'Two', ' Three\n'),
		from: fc.constantFrom('Shop', 'SHOP'),
	}),
	{
		maxLength: 18,
		selector: ({ to, message, from }) => JSON.stringify([to, message, from]),
	},
);

describe('collapse', () => {
	test('keeps every message once', () => {
		fc.assert(
			fc.property(unlike, (messages) => {
				const entries = collapse(messages);
				const all = entries.flatMap(({ to, ...text }) =>
					to.map((number) => ({ to: number, ...text })),
				);
				expect(all).toHaveLength(messages.length);
				expect(all).toEqual(expect.arrayContaining(messages));
				const texts = entries.map(({ message, from }) => JSON.stringify([message, from]));
				expect(new Set(texts).size).toBe(texts.length);
			}),
		);
	});
});
