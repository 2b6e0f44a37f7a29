import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('the safeguards of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (options: object, items: IDataObject[] = wantedMessages(3), settings = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items, settings });
	const sentTo = () => sandbox.messages().map(({ to }) => to);

	test('Max Messages does not count those who are skipped', async () => {
		const items = [...wantedMessages(3), ...wantedMessages(2)];
		const options = { maxMessages: 2, skipDuplicates: true, doNotSendTo: '09779101001' };
		expect((await send(options, items)).json).toHaveLength(5);
		expect(sentTo()).toHaveLength(2);
		const { error } = await send({ maxMessages: 2, doNotSendTo: '09779101001' }, items);
		expect(error?.message).toContain('The run has 3 messages');
	});

	test.each([['allowedCountryCodes', '95', 'country that is not allowed: "+6591234567"']])(
		'%s rejects an item as a whole',
		async (name, value, words) => {
			const items = [...wantedMessages(1), { to: '09779101009, +6591234567', message: 'Two' }];
			const settings = { onError: 'continueRegularOutput' };
			const { json } = await send({ [name]: value }, items, settings);
			expect(json[1].error).toContain(words);
			expect(sentTo()).toEqual(['959779101000']);
		},
	);

	test('Replace Smart Characters sends, and shows, the plain text', async () => {
		const message = `Don’t wait…${' and so on'.repeat(10)}`;
		const { json } = await send({ replaceTypography: true }, [{ to: '09779101001', message }]);
		const plain = message.replace('’', "'").replace('…', '...');
		expect(json[0]).toMatchObject({ message: plain, messageCount: 1 });
		const { json: asWritten, hints } = await send({}, [{ to: '09779101001', message }]);
		expect(asWritten[0]).toMatchObject({ message, messageCount: 2 });
		expect(hints.join()).toContain('’ (U+2019, curly quote), … (U+2026, ellipsis)');
	});

	test.each([
		[{ skipDuplicates: 'yes' }, 'Skip Duplicates must be on or off, but is "yes"'],
		[{ dryRun: '={{ $json.missing }}' }, 'The expression in Dry Run returned no value'],
		[{ replaceTypography: '' }, 'Replace Smart Characters is empty'],
		[{ skipIfAlreadySent: 'yes' }, 'Skip If Already Sent must be on or off, but is "yes"'],
		[{ maxMessages: -1 }, 'Max Messages must be from 0'],
		[{ allowedCountryCodes: 'MM' }, 'is not a country code'],
		[{ dryRun: true, pricePerPart: 'dear' }, 'Price per Part must be a number'],
		[{ maxMessages: '' }, 'Max Messages is empty'],
		[{ maxParts: '={{ $json.missing }}' }, 'The expression in Max Parts returned no value'],
		[{ allowedCountryCodes: ' ' }, 'Allowed Country Codes is empty'],
		[{ allowedCountryCodes: [] }, 'Allowed Country Codes is empty'],
		[{ doNotSendTo: '' }, 'Do Not Send To is empty'],
		[{ doNotSendTo: '={{ $json.missing }}' }, 'The expression in Do Not Send To returned no value'],
		[{ doNotSendTo: ['09779101001', ''] }, 'Do Not Send To is not a phone number: ""'],
		[{ dryRun: true, pricePerPart: '' }, 'Price per Part is empty'],
		[{ whenOutcomeUnknown: 'guess' }, '"guess" is not valid for When the Outcome Is Unknown'],
		[{ sendWindow: {} }, 'Send Window is empty'],
		[{ sendWindow: '={{ $json.missing }}' }, 'Send Window is empty'],
		[{ sendWindow: { window: { from: 'nine' } } }, 'Send Window has an invalid time in From'],
	])('%j is rejected before anything is sent', async (options, words) => {
		const { error } = await send(options);
		expect(error?.message).toContain(words);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
