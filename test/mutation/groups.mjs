/** What is mutated together, and the tests that must notice it. One group a run: `MUTATED=codes`. */
export const groups = {
	responses: {
		mutate: ['nodes/shared/client/{response,confirmation}.ts'],
		tests: ['unit/shared/client/{response,confirmation,rejection,json,verdict}'],
	},
	codes: {
		mutate: ['nodes/OtpVerify/{CodeChecks,expectedTo,otpVerify.operation}.ts'],
		tests: ['unit/OtpVerify/*', 'workflow/{OtpVerify,CodeChecks}'],
	},
	sending: {
		mutate: ['nodes/shared/sending/*.ts'],
		tests: [
			'unit/shared/sending/*',
			'unit/SmsBulkSend/*',
			'workflow/{SmsSend,SmsBulkSend,dryRun,safeguards,emptyFields,maxMessages,onError,sendWindow}',
			'workflow/{allowedCountryCodes,doNotSendTo,itemOptions,skipDuplicates,skipIfAlreadySent}',
		],
	},
	delivery: {
		mutate: ['nodes/shared/delivery/*.ts'],
		tests: [
			'unit/shared/delivery/*',
			'unit/SmsBulkSend/*',
			'workflow/{bulkRejection,outcomeUnknown,retryByHand,retryOnFail,sameMessage,skipIfAlreadySent}',
		],
	},
};

const name = process.env.MUTATED ?? 'responses';
if (!(name in groups)) throw new Error(`MUTATED is one of ${Object.keys(groups).join(', ')}.`);
export const group = groups[name];
