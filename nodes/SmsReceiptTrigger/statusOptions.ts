import type { INodePropertyOptions } from 'n8n-workflow';

/** For the nodes panel, where n8n offers each choice as a trigger of its own, under its `action`. */
export const anyStatus = '*';

/** The statuses of the service ("Message status values"), and what each means to a person. */
export const statusOptions: INodePropertyOptions[] = [
	{
		name: 'Accepted',
		value: 'Accepted',
		action: 'On message accepted',
		description: 'The service has taken the message',
	},
	{
		name: 'Any Status',
		value: anyStatus,
		action: 'On any status',
		description: 'Every report, the same as choosing nothing',
	},
	{
		name: 'Delivered',
		value: 'Delivered',
		action: 'On message delivered',
		description: 'The message is on the phone',
	},
	{
		name: 'Error',
		value: 'Error',
		action: 'On message refused by the operator (Error)',
		description: 'The network operator would not take the message',
	},
	{
		name: 'Expired',
		value: 'Expired',
		action: 'On message expired',
		description: 'The message could not be delivered in time',
	},
	{
		name: 'Failed',
		value: 'Failed',
		action: 'On message failed',
		description: 'The message could not be delivered',
	},
	{
		name: 'Pending',
		value: 'Pending',
		action: 'On message pending',
		description: 'The operator is still waiting to deliver',
	},
	{
		name: 'Rejected',
		value: 'Rejected',
		action: 'On message rejected',
		description: 'The message was rejected',
	},
	{
		name: 'Sent',
		value: 'Sent',
		action: 'On message handed to the network (Sent)',
		description: 'The message is with the network',
	},
	{
		name: 'Success',
		value: 'Success',
		action: 'On message delivered (Success)',
		description: 'Another word for delivered',
	},
	{
		name: 'Undelivered',
		value: 'Undelivered',
		action: 'On message undelivered',
		description: 'The message could not be delivered',
	},
	{
		name: 'Unknown (?)',
		value: '?',
		action: 'On unknown status (?)',
		description: 'The service does not know the status',
	},
];
