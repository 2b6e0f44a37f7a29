const seeds = 'mutation/seeds';

/** What is mutated together, and the tests that must notice it, quick ones first. One group a run: `MUTATED=codes`. */
export const groups = {
	responses: {
		mutate: ['nodes/shared/client/response.ts'],
		tests: ['unit/shared/client/{response,confirmation,json,verdict}.test'],
	},
	codes: {
		mutate: ['nodes/OtpVerify/{CodeChecks,expectedTo,otpVerify.operation,readCode}.ts'],
		tests: [
			'unit/OtpVerify/*.test',
			'workflow/{CodeChecks,OtpVerify,expectedTo,wrongInput,onError,otpLimits}.test',
		],
	},
	sending: {
		mutate: ['nodes/shared/sending/*.ts'],
		tests: [
			'unit/shared/sending/*.test',
			'unit/SmsBulkSend/*.test',
			'workflow/{SmsSend,SmsBulkSend,dryRun,limits,onError,wrongInput}.test',
			'workflow/{allowedCountryCodes,itemOptions,skipIfAlreadySent,onlySendTo}.test',
			'workflow/{lists,emptyFields,emptyExpression,senderId}.test',
			seeds,
			'workflow/{retryByHand,bulkRejection,asTool,SmsSendAndWait,SmsSendAndWaitForResponse}.test',
		],
	},
	delivery: {
		mutate: ['nodes/shared/delivery/*.ts'],
		tests: [
			'unit/shared/delivery/*.test',
			'unit/SmsBulkSend/*.test',
			seeds,
			'workflow/{SmsBulkSend,bulkRejection,retryOnFail,sameMessage,skipIfAlreadySent,dryRun}.test',
			'workflow/{outcomeUnknown,retryByHand,manualExecution,asTool}.test',
		],
	},
};

const name = process.env.MUTATED ?? 'responses';
if (!(name in groups)) throw new Error(`MUTATED is one of ${Object.keys(groups).join(', ')}.`);
export const group = groups[name];
