import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped, sendNodes, useScaledTimes, wantedMessages } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { type RunResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const wordsOf = ({ error, json }: RunResult) =>
	error ? `${error.message} ${error.description ?? ''}` : JSON.stringify(json);

describe('an option of each item of SMS Bulk Send', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const settings = { onError: 'continueRegularOutput' } as const;
	const options = { recipientsPerRequest: 10, parallelRequests: 1 };

	test.each([
		['sendAgain', 'report'],
		['report', 'sendAgain'],
	])(
		'When the Outcome Is Unknown: %s and %s decide whether each is sent again',
		async (...choices) => {
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: 'cut', count: 1 });
			const items = wantedMessages(2).map((one, n) => ({ ...one, choice: choices[n] }));
			const whenOutcomeUnknown = '={{ $json.choice }}';
			const { json } = await run(
				{ ...mapped, options: { ...options, whenOutcomeUnknown } },
				{ items, settings },
			);
			const told = json.map(({ error }) =>
				/unknown|in doubt/.test(String(error)) ? 'report' : 'sendAgain',
			);
			expect(told).toEqual(choices);
			expect(sandbox.messages().map(({ to }) => to)).toEqual([
				items[choices.indexOf('sendAgain')].to,
			]);
		},
		15_000,
	);

	test.each([
		[true, false],
		[false, true],
	])('Skip If Already Sent: %s and %s decide whether each is skipped', async (...skips) => {
		const items = wantedMessages(2).map((one, n) => ({ ...one, skip: skips[n] }));
		await run({ ...mapped, options }, { items });
		const skipIfAlreadySent = '={{ $json.skip }}';
		const more = { ...options, skipIfAlreadySent };
		const { json } = await run({ ...mapped, options: more }, { items });
		expect(json.map(({ alreadySent = false }) => alreadySent)).toEqual(skips);
		expect(sandbox.messages().length).toBe(3);
	});
});

const ofRun: Array<[string, unknown, unknown, IDataObject?]> = [
	['doNotSendTo', '09779100001', '09779100003'],
	['dryRun', false, true],
	['maxMessages', 50, 60],
	['pricePerPart', 30, 40, { dryRun: true }],
	['skipDuplicates', true, false],
	['parallelRequests', 3, 4],
	['timeout', 3000, 4000],
	['lookBackHours', 12, 24, { skipIfAlreadySent: true }],
	['recipientsPerRequest', 30, 40],
	['pauseBetweenRequests', 5, 10],
];
const ofBulkOnly = ['lookBackHours', 'recipientsPerRequest', 'pauseBetweenRequests'];

describe.each(sendNodes)('an option of the whole run of $type', ({ type }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const expectRejection = async (options: IDataObject, values: unknown[]) => {
		const items = wantedMessages(4).map((one, n) => ({ ...one, value: values[n] }) as IDataObject);
		const result = await run({ ...mapped, ...inCollections(options) }, { items });
		expect(sandbox.requests().length).toBe(0);
		expect(result.error && wordsOf(result)).toMatch(/ for item 1, but .+ for item 3 /);
	};

	test.each(ofRun.filter(([name]) => type === 'SmsBulkSend' || !ofBulkOnly.includes(name)))(
		'%s is rejected if items differ, with their numbers',
		async (name, first, other, more = {}) => {
			await expectRejection({ ...more, [name]: '={{ $json.value }}' }, [
				first,
				first,
				other,
				first,
			]);
		},
	);
});
