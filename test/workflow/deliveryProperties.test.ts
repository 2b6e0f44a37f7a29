import fc from 'fast-check';

import type { FaultRule } from '../../sandbox';
import {
	accountFor,
	allItems,
	faults,
	mapped,
	retryOnFail,
	shortenDelivery,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const numbers = ['959779100001', '959779100002', '959779100003', '+6591234567', '+14155550100'];

const message: fc.Arbitrary<WantedMessage> = fc.record({
	to: fc.constantFrom(...numbers),
	message: fc.constantFrom('One', 'Two', 'Line\nbreak ', 'မင်္ဂလာပါ'),
});

const certainly: typeof faults = [
	['a 400', { effect: { status: 400 } }],
	['a 401', { effect: { status: 401 } }],
];

/** A fault for the n-th requests of a kind. */
const rule: fc.Arbitrary<FaultRule> = fc
	.record({
		fault: fc.constantFrom(...faults, ...certainly),
		path: fc.constantFrom('/rest/send*', '/rest/send*', '/rest/messages'),
		skip: fc.nat(6),
		count: fc.integer({ min: 1, max: 6 }),
	})
	.map(({ fault: [, effect], path, skip, count }) => ({ ...effect, match: { path }, skip, count }));

const plan = fc.record({
	wanted: fc.array(message, { minLength: 1, maxLength: 12 }),
	rules: fc.array(rule, { maxLength: 5 }),
	parallelRequests: fc.integer({ min: 1, max: 4 }),
	recipientsPerRequest: fc.integer({ min: 1, max: 4 }),
	historyLagMs: fc.constantFrom(0, 0, 25),
	shuffleBulk: fc.boolean(),
	isRetried: fc.boolean(),
	onError: fc.constantFrom('continueRegularOutput' as const, 'continueErrorOutput' as const),
});

describe.each(['SmsSend', 'SmsBulkSend'] as const)('%s under any plan of faults', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	shortenDelivery();

	test('sends nothing twice, and reports everything that the service has', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async ({ wanted, rules, isRetried, onError, ...settings }) => {
				const { parallelRequests, recipientsPerRequest, historyLagMs, shuffleBulk } = settings;
				sandbox.reset();
				sandbox.configure({ historyLagMs, shuffleBulk });
				for (const one of rules) sandbox.addFault(one);
				const options = {
					parallelRequests,
					...(type === 'SmsBulkSend' && { recipientsPerRequest }),
				};
				const result = await run(
					{ ...mapped, options },
					{ items: wanted, settings: { onError, ...(isRetried && retryOnFail) } },
				);
				const account = accountFor(sandbox, wanted, allItems(result));
				expect(account).toMatchObject({ extra: [], unreported: [], invented: [] });
				expect(account.accepted + account.unknown + account.failed).toBe(wanted.length);
			}),
			{ seed: 20261120, numRuns: 40 },
		);
	}, 60_000);
});
