import type { INodeProperties } from 'n8n-workflow';

import { statusOptions } from './statusOptions';
import { triggerOptions } from './triggerOptions';

export const properties: INodeProperties[] = [
	{
		displayName:
			'Fill in a Secret. Publish (activate) the workflow, open Webhook URLs above, and copy the Production URL; while you try the workflow out, take the Test URL. Add <code>?secret=YOUR-SECRET</code> to its end. Paste it in the dashboard of the service under Account & Security > Settings as default callback URL, or into the option Delivery Receipt URL of a send node. The first receipt of a message may be Sent.',
		name: 'whereToPaste',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'statuses',
		type: 'multiOptions',
		default: [],
		placeholder: 'All statuses',
		options: [...statusOptions],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		// An empty Secret keeps the workflow from being published before somebody has thought of it.
		default: { secret: '' },
		options: [...triggerOptions],
	},
];
