import type { IDataObject, INodeProperties, INodeType } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { OtpRequest } from '../../nodes/OtpRequest/OtpRequest.node';
import { SmsBalance } from '../../nodes/SmsBalance/SmsBalance.node';
import { SmsBulkSend } from '../../nodes/SmsBulkSend/SmsBulkSend.node';
import { SmsHistory } from '../../nodes/SmsHistory/SmsHistory.node';
import { SmsSend } from '../../nodes/SmsSend/SmsSend.node';
import { SmsSendAndWait } from '../../nodes/SmsSendAndWait/SmsSendAndWait.node';
import { collectionNames, type CollectionName } from '../../nodes/shared/fields/option';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { mapped, useScaledTimes, wantedMessages } from '../support/workflow/sending';
import { runAgainst, workingParameters } from '../support/workflow/runAgainst';
import { runNode, type NodeUnderTest, type RunResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** Loading the engine again takes a while on a busy machine. */
jest.setTimeout(30_000);

const senders = [
	{ type: 'SmsSend', path: '/rest/send' },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk' },
] as const;

const wordsOf = ({ error, json }: RunResult) =>
	error ? `${error.message} ${error.description ?? ''}` : JSON.stringify(json);

const emptyValues: Array<[string, unknown]> = [
	['undefined', undefined],
	['null', null],
	["''", ''],
	['[]', []],
	['{}', {}],
	['NaN', NaN],
];

interface Field {
	type: NodeUnderTest['type'];
	collection: CollectionName;
	name: string;
	label: string;
	/** Names of all options of the node. */
	others: string[];
}

/** What an option is of no use without. */
const companions: Record<string, IDataObject> = {
	encryptKey: { encrypt: true },
	lookBackHours: { skipIfAlreadySent: true },
	pricePerPart: { dryRun: true },
	scheduledAtTimeZone: { scheduledAt: '2031-01-01T09:00:00' },
	skipIfAlreadySent: { clientReference: 'order-1' },
};

/** Texts whose absence harms nobody: empty is absent. */
const optionalTexts = ['clientReference', 'deliveryReceiptUrl', 'template'];

const waiting = { to: '09779123456', message: 'Hello', from: 'MyShop', timeLimit: 0.1 };
const walked: Array<[NodeUnderTest['type'], INodeType, IDataObject]> = [
	['SmsSend', new SmsSend(), workingParameters.SmsSend],
	['SmsBulkSend', new SmsBulkSend(), workingParameters.SmsBulkSend],
	['SmsSendAndWait', new SmsSendAndWait(), { ...waiting, waitFor: 'anyFinal' }],
	['OtpRequest', new OtpRequest(), workingParameters.OtpRequest],
	['SmsHistory', new SmsHistory(), workingParameters.SmsHistory],
	['SmsBalance', new SmsBalance(), workingParameters.SmsBalance],
];

const fields: Field[] = walked.flatMap(([type, node]) =>
	collectionNames.flatMap((collection) => {
		const inCollection = (property: INodeProperties) =>
			property.name === collection ? (property.options as INodeProperties[]) : [];
		const { properties } = node.description;
		const options = properties.flatMap((one) => (one.type === 'collection' ? one.options : []));
		return properties
			.flatMap(inCollection)
			.filter(({ name }) => collection === 'filters' || !optionalTexts.includes(name))
			.map(({ name, displayName }) => ({
				...{ type, collection, name },
				label: displayName.replace(/ \(.*/, ''),
				others: options.map((option) => option?.name ?? ''),
			}));
	}),
);

describe('an empty expression', () => {
	const sandbox = useSandbox();
	useScaledTimes();

	const isRefused = async (field: Field, written: unknown, value: unknown) => {
		const { type, collection, label, name } = field;
		const before = sandbox.requests().length;
		const [, , working] = walked.find(([walkedType]) => walkedType === type) ?? walked[0];
		const beside: IDataObject = inCollections(companionsOf(field));
		const holding = { ...(beside[collection] as IDataObject), [name]: written };
		const parameters = { ...working, ...beside, [collection]: holding } as IDataObject;
		const credentials = credentialsOf(sandbox);
		const result = await runNode(
			{ type, parameters },
			{ credentials, items: [{ value } as never] },
		);
		const isNamed = result.error !== undefined && wordsOf(result).includes(label);
		return isNamed && sandbox.requests().length === before;
	};
	const companionsOf = ({ name, others }: Field) =>
		Object.fromEntries(
			Object.entries(companions[name] ?? {}).filter(([other]) => others.includes(other)),
		);

	test.each(fields)('in $label of the $collection of $type is refused by name', async (field) => {
		const accepted: string[] = [];
		for (const [word, value] of emptyValues) {
			if (field.name === 'doNotSendTo' && word === '[]') continue;
			if (!(await isRefused(field, '={{ $json.value }}', value))) accepted.push(word);
		}
		expect(accepted).toEqual([]);
	});

	test.each(['days', 'from', 'until', 'timeZone'])(
		'in %s of Send Window is refused by name',
		async (inner) => {
			const accepted: string[] = [];
			for (const [word, value] of emptyValues) {
				const open = { days: ['monday'], from: '00:00', until: '24:00', timeZone: 'UTC' };
				const window = { ...open, [inner]: '={{ $json.value }}' };
				const field = fields.find(({ name }) => name === 'sendWindow')!;
				if (!(await isRefused(field, { window }, value))) accepted.push(word);
			}
			expect(accepted).toEqual([]);
		},
	);

	test.each([
		['undefined', undefined],
		['null', null],
		["''", ''],
	])(
		'that gives %s is absence in a Client Reference or a Delivery Receipt URL',
		async (_, value) => {
			const options = {
				clientReference: '={{ $json.value }}',
				deliveryReceiptUrl: '={{ $json.value }}',
			};
			const run = runAgainst(sandbox, 'SmsSend');
			const { json } = await run({ options }, { items: [{ value } as never] });
			expect(json).toHaveLength(1);
		},
	);

	test.each(senders)(
		'in Do Not Send To of $type, as a list, keeps nobody out',
		async ({ type }) => {
			const safeguards = { doNotSendTo: '={{ $json.value }}' };
			const { json } = await runAgainst(sandbox, type)({ safeguards }, { items: [{ value: [] }] });
			expect(json[0].messageId).toBeDefined();
		},
	);

	test('of the builder is refused in a filter of SMS History as a tool', async () => {
		sandbox.seedMessages(3);
		for (const name of ['to', 'clientReference', 'from', 'message', 'status']) {
			const parameters = { returnAll: true, filters: { [name]: '={{ $json.customer }}' } };
			const result = await runNode(
				{ type: 'SmsHistoryTool', parameters },
				{ credentials: credentialsOf(sandbox), items: [{ customer: '' }] },
			);
			expect(wordsOf(result)).not.toContain('Seeded message');
		}
		expect(sandbox.requests().length).toBe(0);
	});
});

describe('options of SMS Bulk Send that hold for each item', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const settings = { onError: 'continueRegularOutput' } as const;
	const options = { recipientsPerRequest: 10, parallelRequests: 1 };

	test.each([
		['sendAgain', 'report'],
		['report', 'sendAgain'],
	])(
		'decide with %s and %s what is sent again after a lost request',
		async (...choices) => {
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: 'cut', count: 2 });
			const items = wantedMessages(2).map((one, n) => ({ ...one, choice: choices[n] }));
			const whenOutcomeUnknown = '={{ $json.choice }}';
			const { json } = await run(
				{ ...mapped, options, safeguards: { whenOutcomeUnknown } },
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
	])('decide with %s and %s what is skipped', async (...skips) => {
		const items = wantedMessages(2).map((one, n) => ({ ...one, skip: skips[n] }));
		await run({ ...mapped, options }, { items });
		const skipIfAlreadySent = '={{ $json.skip }}';
		const { json } = await run(
			{ ...mapped, options, safeguards: { skipIfAlreadySent } },
			{ items },
		);
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

describe.each(senders)('an option of the whole run of $type', ({ type }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const expectRefusal = async (options: IDataObject, values: unknown[]) => {
		const items = wantedMessages(4).map((one, n) => ({ ...one, value: values[n] }) as IDataObject);
		const result = await run({ ...mapped, ...inCollections(options) }, { items });
		expect(sandbox.requests().length).toBe(0);
		expect(result.error && wordsOf(result)).toMatch(/\b0\b[^]*\b2\b|\b2\b[^]*\b0\b/);
	};

	test.each(ofRun.filter(([name]) => type === 'SmsBulkSend' || !ofBulkOnly.includes(name)))(
		'%s is refused where items differ, with their numbers',
		async (name, first, other, more = {}) => {
			await expectRefusal({ ...more, [name]: '={{ $json.value }}' }, [first, first, other, first]);
		},
	);

	test('sendWindow is refused where items differ, with their numbers', async () => {
		const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
		const window = { days, from: '={{ $json.value }}', until: '24:00', timeZone: 'UTC' };
		const [first, other] = ['00:00', '00:30'];
		await expectRefusal({ sendWindow: { window } }, [first, first, other, first]);
	});
});

describe.each(senders)('digits without a plus in To of $type', ({ type }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const dates = ['2026-11-22', '192.168.100.200', '20231234'];

	test.each([
		...[...dates, '6591234567'].map((to) => [to, {}] as const),
		...dates.map((to) => [to, { allowedCountryCodes: '95, 65' }] as const),
	])('are no number of another country: %s with %j', async (to, options) => {
		const { error } = await run({ to, ...inCollections(options) });
		expect(sandbox.requests().length).toBe(0);
		expect(error?.message).toContain('To');
	});

	test.each([
		['6591234567', { allowedCountryCodes: '95, 65' }],
		['006591234567', {}],
		['+6591234567', {}],
	])('are one where the country is named: %s with %j', async (to, options) => {
		const { json, error } = await run({ to, ...inCollections(options) });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(sandbox.messages().map((message) => message.to)).toEqual(['6591234567']);
	});
});

describe.each(senders)('a retry of $type', ({ type, path }) => {
	const sandbox = useSandbox();

	test('gives out what was accepted, though its number is on Do Not Send To by now', async () => {
		const items = wantedMessages(3);
		const run = async (more: IDataObject, retryOf?: RunResult['run']) => {
			const options = { parallelRequests: 1, ...more };
			if (type === 'SmsBulkSend') Object.assign(options, { recipientsPerRequest: 1 });
			const parameters = { ...mapped, ...inCollections(options) };
			const credentials = credentialsOf(sandbox);
			return await runNode({ type, parameters }, { credentials, items, retryOf });
		};
		sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1 });
		const failed = await run({ doNotSendTo: [] });
		expect(sandbox.messages().length).toBe(1);
		sandbox.clearFaults();
		const doNotSendTo = [items[0].to, items[1].to];
		const { json } = await run({ doNotSendTo }, failed.run);
		const messageIds = sandbox.messages().map(({ messageId }) => messageId);
		expect(json.map(({ messageId, skipped }) => messageId ?? skipped)).toEqual([
			messageIds[0],
			'optedOut',
			messageIds[1],
		]);
	});
});

describe('wrong rows', () => {
	const sandbox = useSandbox();
	const rows = wantedMessages(5).map((one, n) =>
		[2, 4].includes(n) ? { ...one, to: 'nobody' } : one,
	);

	test.each(senders)('of $type are all named before anything is sent', async ({ type }) => {
		const result = await runAgainst(sandbox, type)(mapped, { items: rows });
		expect(sandbox.messages().length).toBe(0);
		expect(result.error && wordsOf(result)).toMatch(/\b2\b[^]*\b4\b/);
	});

	test.each(senders)('of $type count in a dry run as what would stop it', async ({ type }) => {
		const { hints } = await runAgainst(sandbox, type)(
			{ ...mapped, safeguards: { dryRun: true } },
			{ items: rows },
		);
		expect(hints.join(' ')).toContain('2 items are wrong (of 5). Until they are corrected');
	});
});

describe('SMS History', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsHistory');
	beforeEach(() => {
		const statuses = ['Failed', 'Delivered', 'Delivered'];
		sandbox.seedMessages(3, (index) => ({ status: statuses[index] }));
	});

	test.each([
		['={{ "failed" }}', ['Failed']],
		['={{ ["FAILED"] }}', ['Failed']],
		['={{ ["failed", "Delivered"] }}', ['Delivered', 'Delivered', 'Failed']],
	])('takes the status %s in any case', async (status, expected) => {
		const { json } = await run({ filters: { status } });
		expect(json.map((record) => record.status)).toEqual(expected);
	});

	test.each(['={{ "undeliverable" }}', '={{ ["Failed", "nonsense"] }}'])(
		'refuses the status %s, which is none',
		async (status) => {
			const { error } = await run({ filters: { status } });
			expect(error?.message).toContain('Status');
			expect(sandbox.requests().length).toBe(0);
		},
	);

	test('reads the text "false" in Return All as no', async () => {
		expect((await run({ returnAll: '={{ "false" }}', limit: 1 })).json).toHaveLength(1);
		expect((await run({ returnAll: '={{ "true" }}', limit: 1 })).json).toHaveLength(3);
	});

	test.each(['={{ "no" }}', "={{ '' }}", '={{ null }}'])(
		'refuses %s in Return All',
		async (returnAll) => {
			const { error } = await run({ returnAll, limit: 1 });
			expect(error?.message).toContain('Return All');
			expect(sandbox.requests().length).toBe(0);
		},
	);
});
