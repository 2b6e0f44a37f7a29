import type { IDataObject } from 'n8n-workflow';

import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import type { Options } from '../../nodes/shared/fields/option';
import type { InputError } from '../../nodes/shared/validation/InputError';
import { balanceOptions } from '../../nodes/SmsBalance/balance.operation';
import {
	historyFields,
	historyFilters,
	historyOptions,
} from '../../nodes/SmsHistory/history.operation';
import { options as bulkOptions } from '../../nodes/SmsBulkSend/bulkSend.operation';
import { options as sendOptions } from '../../nodes/SmsSend/send.operation';
import { options as waitOptions } from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import { statuses } from '../../nodes/SmsReceiptTrigger/statusOptions';
import { readSettings, triggerOptions } from '../../nodes/SmsReceiptTrigger/triggerOptions';
import { openHook, startReceiver } from '../unit/SmsReceiptTrigger/receiver';
import { credentialsOf } from './credentialsOf';
import { workingParameters } from './runAgainst';
import { runNode } from './runWorkflow';
import { useSandbox } from './useSandbox';

/** What an expression can return. */
const empty = ['undefined', 'null', '""', '" "', '[]', '({})', 'NaN'];
const results = [...empty, '"word"', 'true'];

const message = { to: '09779123456', message: 'Hello', from: 'MyShop' };
const parametersOf = {
	...workingParameters,
	SmsSendAndWait: { ...message, waitFor: 'anyFinal', timeLimit: 1 },
};

interface Walk {
	node: keyof typeof parametersOf | 'SmsReceiptTrigger';
	/** Of the options; the node's own fields where there is none. */
	collection?: 'options' | 'filters';
	options: Options;
	/** Which results an option takes, as its page says. It refuses all others. */
	taken?: Record<string, string[]>;
	/** Other options that one needs beside it. */
	beside?: Record<string, IDataObject>;
}

const switches = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ['true']]));
const ofAllSends = {
	doNotSendTo: ['[]'],
	...switches(
		'dryRun',
		'refuseEmptyFields',
		'replaceTypography',
		'skipDuplicates',
		'skipIfAlreadySent',
	),
};
const ofSingleSends = {
	clientReference: [...empty, '"word"'],
	deliveryReceiptUrl: empty,
	encryptKey: ['"word"'],
	...switches('encrypt', 'test', 'unicode'),
};

/** A new node, or a new collection of options, is a row more. */
const walks: Walk[] = [
	{ node: 'SmsBalance', collection: 'options', options: balanceOptions },
	{ node: 'SmsHistory', options: historyFields, taken: { returnAll: ['true'] } },
	{
		node: 'SmsHistory',
		collection: 'filters',
		options: historyFilters,
		taken: { clientReference: ['"word"'], from: ['"word"'], message: ['"word"'] },
	},
	{ node: 'SmsHistory', collection: 'options', options: historyOptions },
	{ node: 'OtpRequest', collection: 'options', options: otpOptions, taken: { template: empty } },
	{
		node: 'SmsReceiptTrigger',
		collection: 'options',
		options: triggerOptions,
		taken: { confirmWithTheService: ['true'], passOnRepeats: ['true'] },
	},
	{
		node: 'SmsBulkSend',
		collection: 'options',
		options: bulkOptions,
		taken: ofAllSends,
		beside: { pricePerPart: { dryRun: true } },
	},
	{
		node: 'SmsSend',
		collection: 'options',
		options: sendOptions,
		taken: { ...ofAllSends, ...ofSingleSends },
		beside: {
			encryptKey: { encrypt: true },
			pricePerPart: { dryRun: true },
			skipIfAlreadySent: { clientReference: 'r' },
		},
	},
	{ node: 'SmsSendAndWait', collection: 'options', options: waitOptions, taken: ofSingleSends },
	{ node: 'SmsReceiptTrigger', options: { statuses }, taken: { statuses: ['[]'] } },
];

const all = walks.flatMap(({ node, collection, options, taken = {}, beside = {} }) =>
	Object.keys(options).flatMap((name) =>
		results.map((result) => {
			const option = { ...beside[name], [name]: `={{ ${result} }}` };
			const changes: IDataObject = collection ? { [collection]: option } : option;
			const isTaken = taken[name]?.includes(result) ?? false;
			return { node, name, result, changes, isTaken };
		}),
	),
);

/** A message that is sent would be waited for. */
const cases = all.filter(({ node, isTaken }) => node !== 'SmsSendAndWait' || !isTaken);

describe('an expression', () => {
	const sandbox = useSandbox();

	/** @returns the field that is refused */
	const publish = (parameters: IDataObject) => {
		try {
			return void readSettings(openHook(parameters));
		} catch (error) {
			return (error as InputError).field;
		}
	};
	const report = async (parameters: IDataObject) => {
		const { url, executions, close } = await startReceiver(parameters);
		const { status } = await fetch(`${url}?messageId=m-1&status=Sent`);
		await close();
		return { status, executions: executions.length };
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

	test.each(cases)('of $node, $name, that returns $result, is taken: $isTaken', async (one) => {
		const { node, name, changes, isTaken } = one;
		const isTrigger = node === 'SmsReceiptTrigger';
		const refused = isTrigger ? publish(changes) : await run(node, changes);
		expect(refused).toBe(isTaken ? undefined : name);
		if (isTrigger && !isTaken)
			expect(await report(changes)).toEqual({ status: 403, executions: 0 });
		if (!isTrigger) expect(sandbox.requests().length > 0).toBe(isTaken && name !== 'dryRun');
	});
});
