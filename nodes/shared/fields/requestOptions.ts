import { numberOption, ofRun } from './option';

/** Options of every node that calls the service. The requests of all items share them. */

const defaultTimeout = 30_000;
const defaultParallelRequests = 5;

export const timeout = ofRun(
	numberOption(
		{
			displayName: 'Timeout (Milliseconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 600_000, numberPrecision: 0 },
			default: defaultTimeout,
			description: 'How long to wait for a response of the service before it counts as lost',
		},
		defaultTimeout,
	),
);

export const parallelRequests = ofRun(
	numberOption(
		{
			displayName: 'Parallel Requests',
			name: 'parallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
			default: defaultParallelRequests,
			description:
				'How many requests may be on their way to the service at the same time. More is faster; lower it when the service asks for fewer requests.',
		},
		defaultParallelRequests,
	),
);
