import type { IDataObject } from 'n8n-workflow';

import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import type { Options } from '../../nodes/shared/options/option';
import { balanceOptions } from '../../nodes/SmsBalance/balance.operation';
import { historyFilters } from '../../nodes/SmsHistory/filters';
import { historyFields, historyOptions } from '../../nodes/SmsHistory/history.operation';
import { options as bulkOptions } from '../../nodes/SmsBulkSend/bulkSend.operation';
import { options as sendOptions } from '../../nodes/SmsSend/send.operation';
import { options as waitOptions } from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import { options as askOptions } from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import { statuses } from '../../nodes/SmsReceiptTrigger/statusOptions';
import { triggerOptions } from '../../nodes/SmsReceiptTrigger/triggerOptions';
import { ahead } from '../support/workflow/ahead';
import { startReceiver } from '../support/unit/receiver';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { workingParameters } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** What an expression can return. */
const empty = ['undefined', 'null', '""', '" "', '[]', '({})', 'NaN'];
const results = [...empty, '"word"', 'true'];

const message = { to: '09779123456', message: 'Hello', from: 'MyShop' };
const parametersOf = {
	...workingParameters,
	SmsSendAndWait: { ...message, waitFor: 'anyFinal', timeLimit: 1 },
	SmsSendAndWaitForResponse: { ...message, responseType: 'approval' },
};

interface Walk {
	node: keyof typeof parametersOf | 'SmsReceiptTrigger';
	options: Options;
	/** Which results an option takes, as its page says. It refuses all others. */
	taken?: Record<string, string[]>;
	/** Other options that one needs beside it. */
	beside?: Record<string, IDataObject>;
}

const switches = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ['true']]));
const ofAllSends = {
	doNotSendTo: ['[]', '""'],
	...switches('allowEmptyFields', 'dryRun', 'skipDuplicates', 'skipIfAlreadySent'),
};
const ofSingleSends = {
	clientReference: [...empty, '"word"'],
	deliveryReceiptUrl: empty,
	encryptKey: ['"word"'],
	...switches('allowEmptyFields', 'encrypt', 'test', 'unicode'),
};

/** A new node, or a new collection of options, is a row more. */
const walks: Walk[] = [
	{ node: 'SmsBalance', options: balanceOptions },
	{ node: 'SmsHistory', options: historyFields, taken: { returnAll: ['true'] } },
	{
		node: 'SmsHistory',
		options: historyFilters,
		taken: Object.fromEntries(
			['clientReference', 'from', 'message', 'messageId'].map((name) => [name, ['"word"']]),
		),
	},
	{ node: 'SmsHistory', options: historyOptions },
	{ node: 'OtpRequest', options: otpOptions, taken: { template: empty } },
	{
		node: 'SmsReceiptTrigger',
		options: triggerOptions,
		taken: { passOnRepeats: ['true'] },
	},
	{
		node: 'SmsBulkSend',
		options: bulkOptions,
		taken: ofAllSends,
		beside: { pricePerPart: { dryRun: true }, lookBackHours: { skipIfAlreadySent: true } },
	},
	{
		node: 'SmsSend',
		options: sendOptions,
		taken: { ...ofAllSends, ...ofSingleSends },
		beside: {
			encryptKey: { encrypt: true },
			scheduledAtTimeZone: { scheduledAt: `${ahead}T09:00:00` },
			pricePerPart: { dryRun: true },
			skipIfAlreadySent: { clientReference: 'r' },
		},
	},
	{
		node: 'SmsSendAndWait',
		options: waitOptions,
		taken: ofSingleSends,
		beside: {
			encryptKey: { encrypt: true },
			scheduledAtTimeZone: { scheduledAt: `${ahead}T09:00:00` },
		},
	},
	{
		node: 'SmsSendAndWaitForResponse',
		options: askOptions,
		taken: {
			...switches('allowEmptyFields', 'test', 'unicode'),
		},
	},
	{ node: 'SmsReceiptTrigger', options: { statuses }, taken: { statuses: ['[]'] } },
];

/** Each value in the collection of its declaration. */
function place(options: Options, values: IDataObject): IDataObject {
	const parameters: IDataObject = {};
	for (const [name, value] of Object.entries(values)) {
		const { collection = 'options' } = options[name];
		if (collection === null) parameters[name] = value;
		else parameters[collection] = { ...(parameters[collection] as IDataObject), [name]: value };
	}
	return parameters;
}

const all = walks.flatMap(({ node, options, taken = {}, beside = {} }) =>
	Object.keys(options).flatMap((name) =>
		results.map((result) => {
			const changes = place(options, { ...beside[name], [name]: `={{ ${result} }}` });
			const isTaken = taken[name]?.includes(result) ?? false;
			return { node, name, result, changes, isTaken };
		}),
	),
);

/** A message that is sent would be waited for. */
const cases = all.filter(({ node, isTaken }) => !node.startsWith('SmsSendAndWait') || !isTaken);

describe('an expression', () => {
	const sandbox = useSandbox();

	/** @returns the field that is refused */
	const report = async (parameters: IDataObject) => {
		const { url, executions, failures, close } = await startReceiver(parameters);
		const { status } = await fetch(`${url}?messageId=m-1&status=Sent`);
		await close();
		return { status, executions: executions.length, failures };
	};
	const run = async (node: keyof typeof parametersOf, parameters: IDataObject) => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const all = node === 'SmsHistory' ? { returnAll: false, ...parameters } : parameters;
		const { outputs, error } = await runNode(
			{ type: node, parameters: { ...parametersOf[node], ...all }, settings },
			{ credentials: credentialsOf(sandbox) },
		);
		expect(error).toBeUndefined();
		const details = outputs[0][0]?.json.details as IDataObject | undefined;
		expect(details?.kind ?? 'input').toBe('input');
		return details?.field;
	};

	test.each(cases)('of $node, $name, that returns $result, is accepted: $isTaken', async (one) => {
		const { node, name, changes, isTaken } = one;
		if (node === 'SmsReceiptTrigger') {
			const { status, executions, failures } = await report(changes);
			const works = { status: 200, executions: 1, failures: [] };
			const says = { status: 500, executions: 0, failures: [expect.any(String)] };
			return expect({ status, executions, failures }).toEqual(isTaken ? works : says);
		}
		expect(await run(node, changes)).toBe(isTaken ? undefined : name);
		expect(sandbox.requests().length > 0).toBe(isTaken && name !== 'dryRun');
	});
});
