import type { IHookFunctions } from 'n8n-workflow';

import { requireUsableOptions } from './access';
import { isToConfirm, readBatchSize, type TriggerOptions } from './triggerOptions';

/**
 * What n8n does when the workflow is published. The service has no operation that sets the callback URL: the user
 * pastes it in the dashboard. So all there is to do is to refuse options that would take no receipt.
 */
export const registration = {
	async checkExists(this: IHookFunctions): Promise<boolean> {
		return false;
	},
	async create(this: IHookFunctions): Promise<boolean> {
		const options = this.getNodeParameter('options', {}) as TriggerOptions;
		requireUsableOptions(options);
		readBatchSize(options);
		isToConfirm(options);
		return true;
	},
	async delete(this: IHookFunctions): Promise<boolean> {
		return true;
	},
};
