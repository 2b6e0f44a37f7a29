import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { openOnce } from '../execution/openOnce';
import { optionalWholeNumber, type ReadField } from './readParameters';
import { InputError } from '../validation/InputError';
import { listRecipients } from '../validation/recipient';

/**
 * Option Most Messages: what every item has to wait for before it sends. It counts the messages of the whole run and
 * rejects when they are too many, so that nothing is sent; `undefined` when the option is not in use.
 * @param leaveOut takes the recipients of all items that are skipped out of them
 */
export function createMessageLimit(
	context: IExecuteFunctions,
	readField: ReadField,
	leaveOut: (recipients: string[]) => Promise<string[]>,
): (() => Promise<void>) | undefined {
	const { parameters } = context.getNode();
	const isInUse = (parameters.options as IDataObject | undefined)?.maxMessages !== undefined;
	if (!isInUse) return undefined;
	return openOnce(async () => {
		const maxMessages = readField('options.maxMessages', 0);
		const limit = optionalWholeNumber(maxMessages, 'maxMessages', 'Most Messages', 0, 1_000_000);
		if (!limit) return;
		const items = context.getInputData();
		const recipients = items.flatMap((_, item) => listRecipients(readField('to', item)));
		const { length: count } = await leaveOut(recipients);
		if (count <= limit) return;
		throw new InputError(
			'maxMessages',
			`This run would send ${count} messages, and Most Messages allows ${limit}`,
			'Nothing was sent, for none of the items. Check where the recipients come from, or raise Most Messages.',
		);
	});
}
