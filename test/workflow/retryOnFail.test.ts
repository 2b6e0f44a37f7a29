import type { IDataObject, INode } from 'n8n-workflow';

import {
	accountFor,
	allItems,
	allOnce,
	faults,
	hanging,
	mapped,
	retryOnFail,
	shortenDelivery,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { onErrors } from '../support/workflow/onErrors';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const sendNodes = [
	{ type: 'SmsSend', path: '/rest/send', options: {} },
	{ type: 'SmsSend', path: '/http/send', options: { surface: 'http' } },
	{ type: 'SmsSend', path: '/rest/send', options: { clientReference: '={{ $json.message }}' } },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 3 } },
] as const;

const attemptsOfRead = 5;

describe.each(sendNodes)('$type by $path with $options', ({ type, path, options }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	shortenDelivery();

	const send = async (wanted: WantedMessage[], settings: Partial<INode> = {}, more = {}) =>
		await run({ ...mapped, options: { ...options, ...more } }, { items: wanted, settings });

	/** Two requests are looked up, each message by its number; a lookup ends after five failed reads. */
	const failFirstLookups = (messages: number) => {
		const count = attemptsOfRead * (type === 'SmsSend' ? 2 : messages);
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 502 }, count });
	};

	test.each(faults)('sends each message once through %s', async (_, rule) => {
		const wanted = wantedMessages(7);
		sandbox.addFault({ ...rule, match: { path }, skip: 1, count: 2 });
		const result = await send(wanted);
		expect(result.error).toBeUndefined();
		expect(accountFor(sandbox, wanted, result.json)).toEqual(allOnce(7));
		expect(result.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			wanted.map((_one, item) => ({ item })),
		);
	});

	test.each(hanging)('sends each message once through %s', async (_, rule) => {
		const wanted = wantedMessages(4);
		sandbox.addFault({ ...rule, match: { path }, count: 1 });
		const result = await send(wanted, {}, { timeout: 300 });
		expect(accountFor(sandbox, wanted, result.json)).toEqual(allOnce(4));
	});

	test.each(onErrors)(
		'with On Error %s, reports a message in doubt with its Client Reference',
		async (onError) => {
			const wanted = wantedMessages(5);
			sandbox.addFault({ match: { path }, when: 'after', effect: { status: 500 }, count: 1 });
			sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 500 } });
			const result = await send(wanted, { onError }, { parallelRequests: 1 });
			if (onError === 'stopWorkflow') {
				expect(result.error?.message).toContain('Outcome unknown');
				expect(result.json).toEqual([]);
				return;
			}
			const items = allItems(result);
			const account = accountFor(sandbox, wanted, items);
			const unknown = items.filter((json) => String(json.error).includes('Outcome unknown'));
			expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
			expect(account.unknown).toBe(type === 'SmsSend' ? 1 : 3);
			expect(account.accepted + account.unknown).toBe(5);
			if (type === 'SmsSend') {
				const { clientReference } = sandbox.messages()[0];
				expect((unknown[0].details as IDataObject).clientReference).toBe(clientReference);
				expect(unknown[0].error).toContain(sandbox.messages()[0].to);
			}
		},
	);

	test('sends in the next attempt only what was not accepted', async () => {
		const wanted = wantedMessages(6);
		sandbox.addFault({ match: { path }, effect: { status: 403 }, skip: 1, count: 1 });
		const result = await send(wanted, retryOnFail, { parallelRequests: 1 });
		expect(result.error).toBeUndefined();
		expect(accountFor(sandbox, wanted, result.json)).toEqual(allOnce(6));
	});

	test('sends a message once whose text differs in each attempt', async () => {
		const wanted = wantedMessages(4);
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 2 });
		failFirstLookups(4);
		sandbox.addFault({ match: { path }, effect: { status: 403 }, skip: 2, count: 1 });
		const message = '={{ $json.message }} {{ $now.toMillis() }}';
		const result = await run(
			{ ...mapped, message, options: { ...options, parallelRequests: 1 } },
			{ items: wanted, settings: retryOnFail },
		);
		expect(result.json).toHaveLength(4);
		expect(sandbox.messages().map(({ to }) => to)).toEqual(wanted.map(({ to }) => to));
	});

	test('sends once to each of several recipients of an item, and abroad', async () => {
		const numbers = ['959779100001', '+6591234567', '+14155550100', '959779100002', '+6591234567'];
		const wanted = numbers.map((to) => ({ to, message: 'Hello' }));
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 2 });
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 2 });
		const result = await run(
			{ to: numbers.join(), message: 'Hello', from: 'MyShop', options },
			{ items: [{ message: 'reference' }] },
		);
		expect(accountFor(sandbox, wanted, result.json)).toEqual(allOnce(5));
	});
});
