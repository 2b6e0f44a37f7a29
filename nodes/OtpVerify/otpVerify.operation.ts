import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { isTool, toolDescription } from '../shared/n8n/tool';
import { finishRun, openOnce, runPerItem } from '../shared/n8n/items';
import { timeout } from '../shared/options/limits';
import { attempt, EmptyError, InputError } from '../shared/input/InputError';
import { requireText } from '../shared/input/text';
import { CodeChecks } from './CodeChecks';
import { checkFor } from './expectedTo';
import { readCode } from './readCode';

/** The first output: it also gets items that n8n generates (Always Output Data, deactivated nodes, On Error). */
const rejectedOutput = 0;
const verifiedOutput = 1;

/** Far longer than any ID; keeps a pasted page out of the request URL. */
const longestId = 100;

export const properties: INodeProperties[] = [
	toolDescription(
		'Check a one-time code that a person typed, with the requestId from OTP Request. Must Belong To is the phone number or email address the code was sent to. "verified": true proves that this person owns the phone number or email address in "to", and nothing else. Anything else, "error" included, proves nothing. Each check counts as an attempt: never guess a code, and do not repeat a check.',
	),
	{
		displayName:
			'Connect both outputs. Rejected (top): do not let the person in. Verified (bottom): let the person in. If you replace an If node, swap the two connections. If a code cannot be checked, the workflow stops. With On Error set to Continue, the item goes to Rejected.',
		name: 'twoOutputs',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Request ID',
		name: 'requestId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'Drag requestId here from OTP Request',
		description: 'The requestId from the output of OTP Request',
	},
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 042719',
		description:
			'The code as the person typed it, as text: a number loses its leading zero. Spaces, dashes and the digits of any script are fine. What cannot be a code goes to Rejected.',
	},
	{
		displayName: 'Must Belong To',
		name: 'expectedTo',
		type: 'string',
		default: '',
		placeholder: 'Drag to here from OTP Request',
		description:
			'Phone number or email address the code was sent to; codes sent to anyone else go to Rejected. Leave empty to accept any recipient.',
	},
];

/** The ID as text with all its digits (field note 14). @throws InputError */
function readRequestId(value: unknown): string {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new InputError(
			'requestId',
			'Request ID has lost digits, because it is too long for a number',
			'Pass requestId on as text, unchanged from the output of OTP Request.',
		);
	}
	return requireText(value, 'requestId', longestId).trim();
}

/** Only a confirmation for this exact request goes to Verified ("Verify OTP query parameters"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = { timeout: timeout.whenAbsent };
	const open = openOnce(
		async () => new CodeChecks(this, await MessagingServiceClient.open(this, settings)),
	);
	// Only an empty field disables the check; an expression that returns no value matches no code.
	const isExpected = (this.getNode().parameters.expectedTo ?? '') !== '';
	const results = await runPerItem(this, {
		outputs: 2,
		outcomeOf: () => 'The code was not verified, so access was denied.',
		failedFields: { verified: false, reason: 'couldNotCheck' },
		work: async (item, results) => {
			// Without an expected recipient, a model could accept another person's code.
			if (!isExpected && isTool(this)) {
				const hint =
					'Fill in the phone number or email address the code was sent to, or let the AI model fill it in.';
				throw new EmptyError('expectedTo', 'Must Belong To', hint);
			}
			const given = this.getNodeParameter('requestId', item);
			const requestId = readRequestId(given);
			const code = attempt(() => readCode(this.getNodeParameter('code', item)));
			if ('error' in code) {
				if (!(code.error instanceof InputError)) throw code.error;
				const message = `The code was not checked, and no attempt was counted. ${code.error.message}.`;
				const why = { reason: 'notACode', message };
				results.add(item, { verified: false, requestId: given, ...why }, rejectedOutput);
				return;
			}
			const check = async () => await (await open()).check(item, requestId, code.value);
			const { verified, ...result } = isExpected
				? await checkFor(this.getNodeParameter('expectedTo', item), check)
				: await check();
			const output = verified ? verifiedOutput : rejectedOutput;
			results.add(item, { verified, requestId: given, ...result }, output);
		},
	});
	return await finishRun(results, async () => (await open()).memory);
}
