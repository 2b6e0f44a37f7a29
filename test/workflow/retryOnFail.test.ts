import type { IDataObject, INode } from 'n8n-workflow';

import {
	accountFor,
	allItems,
	allOnce,
	faults,
	mapped,
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

describe.each(sendNodes)('$type by $path with $options', ({ type, path, options }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	shortenDelivery();

	const send = async (wanted: WantedMessage[], settings: Partial<INode> = {}, more = {}) =>
		await run({ ...mapped, options: { ...options, ...more } }, { items: wanted, settings });

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
});
