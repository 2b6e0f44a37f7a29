import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { mapped, second, useScaledTimes, wantedMessages } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode, type RunResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** Loading the engine again takes a while on a busy machine. */
jest.setTimeout(30_000);

const settings = { onError: 'continueRegularOutput' } as const;
/** The service answers a request that holds it with a 400. */
const refusedNumber = '959000000018';

describe('a bulk request that is refused', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const requests = () => sandbox.stats().byPath['/api/rest/send/bulk']?.requests ?? 0;
	const errorsOf = ({ json }: RunResult) =>
		json.flatMap(({ error }) => (typeof error === 'string' ? [error] : []));

	test.each([0, 37, 99])(
		'for one of its hundred numbers, the one at %i, reaches the others at once',
		async (place) => {
			const items = wantedMessages(100);
			items[place].to = refusedNumber;
			const begunAt = Date.now();
			const result = await run(mapped, { items, settings });
			expect(sandbox.messages().length).toBe(99);
			expect(new Set(sandbox.messages().map(({ to }) => to)).size).toBe(99);
			expect(errorsOf(result)).toHaveLength(1);
			expect(result.json[place].error).toMatch(/^Rejected by the service/);
			expect(requests()).toBeLessThanOrEqual(15);
			expect(Date.now() - begunAt).toBeLessThan(60 * second);
		},
		15_000,
	);

	test('for two of its numbers reaches the other 98', async () => {
		const items = wantedMessages(100);
		items[20].to = refusedNumber;
		items[70].to = refusedNumber;
		const result = await run(mapped, { items, settings });
		expect(sandbox.messages().length).toBe(98);
		expect(errorsOf(result)).toHaveLength(2);
	}, 15_000);

	test.each([400, 422])(
		'with a %i for every number stops after fourteen refusals, and says so',
		async (status) => {
			const effect = { status, body: { message: 'Sender ID is not registered.' } };
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
			const options = { parallelRequests: 1 };
			const items = wantedMessages(1_000);
			const result = await run({ ...mapped, options }, { items, settings });
			const errors = errorsOf(result);
			expect(errors).toHaveLength(1_000);
			expect(errors[0]).toContain('Sender ID is not registered.');
			const different = new Set(errors.map((error) => error.replace(/ \(item \d+ of 1000\)/, '')));
			expect([...different].join(' ')).toMatch(
				/\b14 (bulk |refused )?(re|times|in)|in a row|fourteen/i,
			);
			// One for each hundred would be ten.
			expect(requests()).toBeGreaterThanOrEqual(14);
			expect(requests()).toBeLessThanOrEqual(16);
		},
		30_000,
	);

	test('but was taken is not sent again in halves', async () => {
		const effect = { status: 400, body: { message: 'Invalid number.' } };
		const match = { path: '/rest/send/bulk' };
		sandbox.addFault({ match, when: 'after', effect, count: 1 });
		await run(mapped, { items: wantedMessages(10), settings });
		expect(sandbox.messages().length).toBe(10);
	}, 15_000);
});

describe('SMS Bulk Send with On Error Continue, where the first rows are refused', () => {
	const sandbox = useSandbox();
	useScaledTimes();
	const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
	const always = { days, from: '00:00', until: '24:00', timeZone: 'UTC' };
	const options: Array<[string, IDataObject, number]> = [
		['Skip Duplicates', { skipDuplicates: true }, 1],
		['Do Not Send To', { doNotSendTo: '09779999999' }, 1],
		['Send Window', { sendWindow: { window: always } }, 1],
		['a limit of messages', { maxMessages: 10 }, 1],
		['a limit of messages', { maxMessages: 10 }, 2],
	];

	test.each(options.flatMap((row) => [1, 3].map((wrong) => [...row, wrong] as const)))(
		'ends with %s (%j) and sends the good ones: %i of them behind %i wrong ones',
		async (_, option, good, wrong) => {
			const rows = wantedMessages(good + wrong).map((one, n) =>
				n < wrong ? { ...one, to: 'nobody' } : one,
			);
			const stop = new AbortController();
			const end = runNode(
				{ type: 'SmsBulkSend', parameters: { ...mapped, ...inCollections(option) }, settings },
				{ credentials: credentialsOf(sandbox), items: rows, signal: stop.signal },
			);
			const result = await Promise.race([end, sleep(3_000, 'hangs' as const, { ref: false })]);
			stop.abort();
			expect(sandbox.messages().length).toBe(good);
			expect(result === 'hangs' ? result : result.json.length).toBe(good + wrong);
		},
		10_000,
	);
});
