import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { allItems, mapped, wantedMessages } from '../support/workflow/sending';
import { onErrors } from '../support/workflow/onErrors';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode, type RunResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { processorMs } from '../support/unit/processorTime';

const senders = [
	{ type: 'SmsSend', path: '/rest/send' },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk' },
] as const;

describe.each(['SmsSend', 'SmsBulkSend'] as const)('Do Not Send To of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (options: object, items: IDataObject[] = wantedMessages(3), settings = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items, settings });
	const sentTo = () => sandbox.messages().map(({ to }) => to);

	const items = wantedMessages(3).map((item) => ({
		...item,
		off: ['09779101001', 959779101002],
	}));

	test.each([
		['a text', '09779101001\n+959779101002'],
		['a list from an expression', '={{ $json.off }}'],
		['a list over all items', '={{ $input.all().slice(1).map((row) => row.json.to) }}'],
	])('sends nothing to the numbers of %s', async (_, doNotSendTo) => {
		const { json } = await send({ doNotSendTo }, items);
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, 'optedOut', 'optedOut']);
		expect(json[1]).toEqual({ to: '959779101001', skipped: 'optedOut' });
		expect(sentTo()).toEqual(['959779101000']);
	});

	test('holds nobody while the list of an expression is empty', async () => {
		expect((await send({ doNotSendTo: '={{ [] }}' }, items)).json).toHaveLength(3);
		expect(sentTo()).toHaveLength(3);
	});

	test.each(onErrors)('sends nothing with %s when an entry is not a number', async (onError) => {
		const result = await send({ doNotSendTo: '09779101001, 0977' }, items, { onError });
		const words = 'Do Not Send To is too short for a mobile number: "0977"';
		if (onError === 'stopWorkflow') expect(result.error?.message).toContain(words);
		else
			expect(allItems(result).map(({ error }) => error)).toEqual(
				Array(3).fill(expect.stringContaining(words)),
			);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});

describe.each(senders)('a retry by hand of $type with Do Not Send To', ({ type, path }) => {
	const sandbox = useSandbox();

	test('returns what was accepted, even if its number is on the list now', async () => {
		const items = wantedMessages(3);
		const run = async (more: IDataObject, retryOf?: RunResult['run']) => {
			const options = { parallelRequests: 1, ...more };
			if (type === 'SmsBulkSend') Object.assign(options, { recipientsPerRequest: 1 });
			const parameters = { ...mapped, ...inCollections(options) };
			const credentials = credentialsOf(sandbox);
			return await runNode({ type, parameters }, { credentials, items, retryOf });
		};
		sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1 });
		const failed = await run({ doNotSendTo: [] });
		expect(sandbox.messages().length).toBe(1);
		sandbox.clearFaults();
		const doNotSendTo = [items[0].to, items[1].to];
		const { json } = await run({ doNotSendTo }, failed.run);
		const messageIds = sandbox.messages().map(({ messageId }) => messageId);
		expect(json.map(({ messageId, skipped }) => messageId ?? skipped)).toEqual([
			messageIds[0],
			'optedOut',
			messageIds[1],
		]);
	});
});

describe('Do Not Send To with 100,000 numbers', () => {
	const sandbox = useSandbox({ balance: 1e9, maxMessagesKept: 1_000_000 });
	const run = runAgainst(sandbox, 'SmsBulkSend');
	const numbers = Array.from({ length: 100_000 }, (_, n) => `0978${String(1_000_000 + n)}`);
	const items = Array.from({ length: 2_000 }, (_, n) => ({
		...{ to: `0979${String(1_000_000 + n)}`, message: 'Hello', off: numbers },
	}));

	test.each([
		['a text', numbers.join('\n')],
		['an expression', '={{ $json.off }}'],
	])(
		'as %s adds less than a second to 2,000 items',
		async (_, doNotSendTo) => {
			const measure = async (options: object) => {
				return await processorMs(async () => {
					const { json } = await run({ ...mapped, ...inCollections(options) }, { items });
					expect(json).toHaveLength(items.length);
				});
			};
			await measure({});
			const without = await measure({});
			expect((await measure({ doNotSendTo })) - without).toBeLessThan(1000);
		},
		60_000,
	);
});
