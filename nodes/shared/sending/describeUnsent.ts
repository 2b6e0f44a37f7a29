import type { IExecuteFunctions } from 'n8n-workflow';

import { Ledger } from '../delivery/ledger';

/**
 * The first sentence of each input error in a node that sends.
 * @param isForItem whether other items may be sent all the same
 */
export function describeUnsent(context: IExecuteFunctions, isForItem: boolean): string {
	const which = isForItem ? ' for this item' : '';
	return `Nothing was sent${which}${Ledger.hasSent(context) ? ' in this attempt' : ''}.`;
}
