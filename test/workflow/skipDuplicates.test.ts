import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('Skip Duplicates of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (options: object, items: IDataObject[] = wantedMessages(3), settings = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items, settings });
	const sentTo = () => sandbox.messages().map(({ to }) => to);

	const spellings = ['09791234567', '959791234567', '+95 9 791 234 567', '၀၉၇၉၁၂၃၄၅၆၇'];
	const items = spellings.map((to, index) => ({ to, message: `Text ${index}` }));

	test('sends one message to a number, however it is written and whatever the text', async () => {
		const { outputs } = await send({ skipDuplicates: true }, [
			...items,
			{ to: '+6591234567, 09791234567', message: 'Both' },
		]);
		const skipped = { to: '959791234567', skipped: 'duplicate' };
		expect(outputs[0].map(({ json, pairedItem }) => [json.skipped ?? json.to, pairedItem])).toEqual(
			[
				['959791234567', { item: 0 }],
				...[1, 2, 3].map((item) => ['duplicate', { item }]),
				['6591234567', { item: 4 }],
				['duplicate', { item: 4 }],
			],
		);
		expect(outputs[0][1].json).toEqual(skipped);
		expect(sentTo()).toEqual(['959791234567', '6591234567']);
	});

	test('leaves the number to the next item when the first is rejected before it is sent', async () => {
		const wrong = { to: '09791234567', message: '' };
		const { json } = await send({ skipDuplicates: true }, [wrong, ...items], {
			onError: 'continueRegularOutput',
		});
		expect(json.map(({ error, skipped }) => skipped ?? typeof error)).toEqual([
			...['string', 'undefined', 'duplicate', 'duplicate', 'duplicate'],
		]);
		expect(sentTo()).toHaveLength(1);
	});

	test('keeps the first over Retry On Fail', async () => {
		sandbox.addFault({ match: { contains: 'Other' }, effect: { status: 403 }, count: 1 });
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const two = [items[0], items[1], { to: '09791234568', message: 'Other' }];
		const options = { skipDuplicates: true, parallelRequests: 1, recipientsPerRequest: 1 };
		const { recipientsPerRequest, ...ofSend } = options;
		const { json } = await send(
			type === 'SmsSend' ? ofSend : { ...ofSend, recipientsPerRequest },
			two,
			settings,
		);
		expect(json.map(({ skipped, message }) => skipped ?? message)).toEqual([
			...['Text 0', 'duplicate', 'Other'],
		]);
		expect(sentTo().sort()).toEqual(['959791234567', '959791234568']);
	});
});
