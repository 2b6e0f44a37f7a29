import type { IDataObject } from 'n8n-workflow';

import { credentialsOf } from '../support/workflow/credentialsOf';
import { inLine } from '../support/workflow/runWorkflow';
import { useShortLooks } from '../support/workflow/sending';
import { useSandbox } from '../support/workflow/useSandbox';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

const nodes = [
	'SmsSend',
	'SmsBulkSend',
	'OtpRequest',
	'SmsSendAndWait',
	'SmsSendAndWaitForResponse',
] as const;

const working = {
	...{ to: '09791234567', message: 'Hello', from: '', brand: 'MyShop' },
	...{ responseType: 'approval', waitFor: 'anyFinal', timeLimit: 60 },
};

describe.each(nodes)('Sender ID of %s', (type) => {
	const sandbox = useSandbox();
	const n8n = useWaitingN8n();
	useShortLooks();

	const run = async (parameters: IDataObject, credential: IDataObject = { senderId: 'Ours' }) => {
		const credentials = credentialsOf(sandbox, credential);
		const underTest = inLine({ type, parameters: { ...working, ...parameters } });
		const { run } = await n8n.run(underTest, { credentials, items: [{ sender: 'Item' }] });
		const { error } = run.data.resultData;
		return error ? `${error.message}: ${error.description}` : undefined;
	};
	const sent = () => [...sandbox.messages(), ...sandbox.codes()].map(({ from }) => from);

	test.each([
		['the one of the credential, if it is empty', { from: '' }, 'Ours'],
		['the one of the credential, if it is absent', { from: undefined }, 'Ours'],
		['the one of the credential, if it is an empty expression', { from: '=' }, 'Ours'],
		['its own', { from: 'Other' }, 'Other'],
		['its own, by expression', { from: '={{ $json.sender }}' }, 'Item'],
	])('is %s', async (_, parameters, from) => {
		expect(await run(parameters)).toBeUndefined();
		expect(sent()).toEqual([from]);
	});

	test('is an error where an expression returns nothing', async () => {
		expect(await run({ from: '={{ $json.other }}' })).toContain('Sender ID');
		expect(sandbox.requests()).toEqual([]);
	});

	test('is an error where it is empty in both', async () => {
		expect(await run({}, { senderId: ' ' })).toMatch(
			/^Sender ID is empty: .* was sent\. Enter Sender ID here or in the credential\.$/,
		);
		expect(sandbox.requests()).toEqual([]);
	});
});
