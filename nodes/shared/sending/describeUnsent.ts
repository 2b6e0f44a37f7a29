import type { IExecuteFunctions } from 'n8n-workflow';

import { Ledger } from '../delivery/ledger';
import { readRun } from '../execution/agentTool';

/**
 * The first sentence of each input error in a node that sends.
 * An earlier attempt, another retry or an earlier pass of a loop may have sent something.
 * @param isForItem whether other items may be sent all the same
 */
export function describeUnsent(context: IExecuteFunctions, isForItem: boolean): string {
	const which = isForItem ? ' for this item' : '';
	const isAlone = readRun(context) === '0' && context.getMode() !== 'retry';
	const isFirst = isAlone && !Ledger.hasSent(context);
	return `Nothing was sent${which}${isFirst ? '' : ' in this attempt'}.`;
}
