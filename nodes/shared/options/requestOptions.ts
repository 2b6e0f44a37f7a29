import { numberOption, ofRun } from './option';

// Options of every node that calls the service. They apply to the requests of all items together.

const defaultTimeout = 30_000;
const defaultParallelRequests = 5;

export const timeout = ofRun(
	numberOption(
		{
			displayName: 'Request Timeout (Milliseconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 600_000, numberPrecision: 0 },
			default: defaultTimeout,
			description: 'How long to wait for a response from the service',
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
				'Max requests in flight. Lower this if the service responds that there are too many requests.',
		},
		defaultParallelRequests,
	),
);
