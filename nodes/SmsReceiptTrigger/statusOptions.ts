import type { INodePropertyOptions } from 'n8n-workflow';

import { describeStatus } from '../shared/receipt/receipt';

const anyStatus = '*';
/** Not case-insensitively equal to any status. */
const onDelivered = 'onDelivered';
const onNotDelivered = 'onNotDelivered';

/** For the nodes panel, where n8n offers each choice as a trigger of its own, under its `action`. */
const choices: INodePropertyOptions[] = [
	{
		name: 'On Message Delivered',
		value: onDelivered,
		action: 'On message delivered',
		description: 'The message is on the phone: Delivered or Success',
	},
	{
		name: 'On Message Not Delivered',
		value: onNotDelivered,
		action: 'On message not delivered',
		description: 'The message will not arrive: Failed, Undelivered, Rejected, Error or Expired',
	},
	{
		name: 'Any Status',
		value: anyStatus,
		action: 'On any status',
		description: 'Every report, the same as choosing nothing',
	},
];

/** The statuses of the service ("Message status values"), and what each means to a person. */
const singleStatuses: INodePropertyOptions[] = [
	{
		name: 'Accepted',
		value: 'Accepted',
		action: 'On status Accepted',
		description:
			'The service has taken the message. Another status follows, so neither of the two choices above starts with it.',
	},
	{
		name: 'Delivered',
		value: 'Delivered',
		action: 'On status Delivered',
		description: 'The message is on the phone',
	},
	{
		name: 'Error',
		value: 'Error',
		action: 'On status Error',
		description: 'The network operator would not take the message. It will not arrive.',
	},
	{
		name: 'Expired',
		value: 'Expired',
		action: 'On status Expired',
		description: 'The message could not be delivered in time. It will not arrive.',
	},
	{
		name: 'Failed',
		value: 'Failed',
		action: 'On status Failed',
		description: 'The message could not be delivered. It will not arrive.',
	},
	{
		name: 'Pending',
		value: 'Pending',
		action: 'On status Pending',
		description:
			'The operator is still trying to deliver. Another status follows, so neither of the two choices above starts with it.',
	},
	{
		name: 'Rejected',
		value: 'Rejected',
		action: 'On status Rejected',
		description: 'The message was rejected. It will not arrive.',
	},
	{
		name: 'Sent',
		value: 'Sent',
		action: 'On status Sent',
		description:
			'The message is with the network, and not yet on the phone. Another status follows, so neither of the two choices above starts with it.',
	},
	{
		name: 'Success',
		value: 'Success',
		action: 'On status Success',
		description: 'Another word for delivered',
	},
	{
		name: 'Undelivered',
		value: 'Undelivered',
		action: 'On status Undelivered',
		description: 'The message could not be delivered. It will not arrive.',
	},
	{
		name: 'Unknown (?)',
		value: '?',
		action: 'On unknown status (?)',
		description:
			'The service does not know what became of the message, so neither of the two choices above starts with it',
	},
];

export const statusOptions = [...choices, ...singleStatuses];

function listStatuses(delivered: boolean): string[] {
	const statuses = singleStatuses.map(({ value }) => String(value));
	return statuses.filter((status) => describeStatus(status).delivered === delivered);
}

/** The statuses that a choice stands for. None means all of them. */
export function toStatuses(chosen: string[]): string[] {
	if (chosen.includes(anyStatus)) return [];
	return chosen.flatMap((choice) => {
		if (choice === onDelivered) return listStatuses(true);
		return choice === onNotDelivered ? listStatuses(false) : [choice];
	});
}
