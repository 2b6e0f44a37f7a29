import type { IDataObject } from 'n8n-workflow';

import { openOnce } from '../execution/openOnce';
import { readLimit } from '../fields/readParameters';
import { InputError } from '../validation/InputError';
import { listRecipients } from '../validation/recipient';
import { leaveOutSkipped, type Reading } from './readCampaign';

/**
 * Option Most Messages: what every item has to wait for before it sends. It counts the messages of the whole run and
 * rejects when they are too many, so that nothing is sent; `undefined` when the option is not in use.
 */
export function createMessageLimit({
	context,
	readField,
	readCampaign,
}: Reading): (() => Promise<void>) | undefined {
	const { parameters } = context.getNode();
	const isInUse = (parameters.options as IDataObject | undefined)?.maxMessages !== undefined;
	if (!isInUse) return undefined;
	return openOnce(async () => {
		const maxMessages = readField('options.maxMessages', 0);
		const limit = readLimit(maxMessages, 'maxMessages', 'Most Messages', 1_000_000);
		if (limit === Infinity) return;
		const items = context.getInputData();
		const recipients = items.flatMap((_, item) => listRecipients(readField('to', item)));
		const { length: count } = await leaveOutSkipped(readCampaign, recipients);
		if (count <= limit) return;
		throw new InputError(
			'maxMessages',
			`This run would send ${count} messages, and Most Messages allows ${limit}`,
			'Nothing was sent, for none of the items. Check where the recipients come from, or raise Most Messages.',
		);
	});
}
