import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { listOption, ofNode } from '../shared/options/option';
import { readStatuses } from '../shared/options/statuses';
import { listStatuses, type Status, statusChoices } from '../shared/client/status';

const anyStatus = '*';

/** In the nodes panel, n8n lists each choice as a separate trigger, by its `action`. */
const choices: INodePropertyOptions[] = [
	{
		name: 'On Message Delivered',
		value: 'onDelivered',
		action: 'On message delivered',
		description: `The message is on the phone: ${listStatuses(true).join(' or ')}`,
	},
	{
		name: 'On Message Not Delivered',
		value: 'onNotDelivered',
		action: 'On message not delivered',
		description: `The message will not arrive: ${listStatuses(false).join(', ')}`,
	},
	{
		name: 'Any Status',
		value: anyStatus,
		action: 'On any status',
		description: 'Every receipt. The same as choosing nothing.',
	},
];

const descriptions: Record<Status, string> = {
	Accepted: 'The service accepted the message. Another status follows.',
	Delivered: 'The message is on the phone',
	Error: 'The mobile network returned an error. The message will not arrive.',
	Expired: 'The message could not be delivered in time. It will not arrive.',
	Failed: 'The message could not be delivered. It will not arrive.',
	Pending: 'The mobile network is still trying to deliver. Another status follows.',
	Rejected: 'The message was rejected. It will not arrive.',
	Sent: 'The message is with the mobile network. Another status follows.',
	Success: 'Another word for Delivered',
	Undelivered: 'Another word for Failed',
	'?': 'The service does not know the delivery status',
};

const singleStatuses: INodePropertyOptions[] = statusChoices.map(({ name, value }) => ({
	name,
	value,
	action: `On status ${name}`,
	description: descriptions[value],
}));

export const statusOptions = [...choices, ...singleStatuses];

const property: INodeProperties = {
	displayName: 'Trigger On',
	name: 'statuses',
	type: 'multiOptions',
	default: [],
	placeholder: 'All statuses',
	description: 'Statuses that start the workflow. Leave empty for all.',
	options: [...statusOptions],
};

/** The statuses that start the workflow. An empty list means all; an expression that returns no value does not. */
export const statuses = ofNode(
	listOption<string[]>(property, [], (value) => {
		const read = readStatuses(property, value);
		return read.includes(anyStatus) ? [] : read;
	}),
);
