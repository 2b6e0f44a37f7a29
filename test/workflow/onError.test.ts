import type { IDataObject } from 'n8n-workflow';

import { onErrors } from '../support/workflow/onErrors';
import { runAgainst, type NodeName } from '../support/workflow/runAgainst';
import { mapped, onlyOne, sendNodes, wantedMessages } from '../support/workflow/sending';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';

/** What an item with invalid input begins with, if On Error is Stop Workflow and if it is Continue. */
type Outcome = [ifStopped: string, ifContinued: string];
const unsent: Outcome = ['Nothing was sent. ', 'Nothing was sent for this item. '];
const noCode: Outcome = ['No code was sent. ', 'No code was sent. '];
const denied = 'The code was not verified, so access was denied. ';
const outcomes: Partial<Record<NodeName, Outcome>> = {
	OtpRequest: noCode,
	OtpVerify: [denied, denied],
	SmsBulkSend: unsent,
	SmsSend: unsent,
};

type NodeWithInput = Exclude<NodeName, 'SmsBalance'>;

/** For each node that reads its items: parameters, an item that works and one that does not. */
const cases: Record<
	NodeWithInput,
	{ parameters: IDataObject; good: IDataObject; bad: IDataObject }
> = {
	OtpRequest: {
		// Each to a recipient of its own.
		parameters: { to: '={{ $json.v && $json.v + $itemIndex }}' },
		good: { v: '0977912345' },
		bad: { v: '1' },
	},
	OtpVerify: {
		parameters: { requestId: '={{ $json.v }}' },
		good: { v: '184512007' },
		bad: { v: '' },
	},
	SmsBulkSend: {
		parameters: { to: '={{ $json.v }}' },
		good: { v: '09779123456' },
		bad: { v: '1' },
	},
	SmsHistory: {
		parameters: { filters: { to: '={{ $json.v }}' } },
		good: { v: '959779123456' },
		bad: { v: '1' },
	},
	SmsSend: { parameters: { to: '={{ $json.v }}' }, good: { v: '09779123456' }, bad: { v: '1' } },
};

describe.each(['SmsSend', 'SmsBulkSend'] as const)('%s with On Error set to continue', (node) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, node);
	const settings = { onError: 'continueRegularOutput' as const };

	test('reports a recipient of any type, and keeps the records of the others', async () => {
		const items = [{ v: '09779123456' }, { v: { toString: 1 } }, { v: [{ valueOf: 1 }] }];
		const { json } = await run({ to: '={{ $json.v }}' }, { items, settings });
		expect(json).toEqual([
			expect.objectContaining({ messageId: sandbox.messages()[0].messageId }),
			...[2, 3].map(() => expect.objectContaining({ error: expect.stringContaining('an object') })),
		]);
		const { json: rows } = await run({ to: '={{ $json.v }}', dryRun: true }, { items, settings });
		expect(rows.map(({ to }) => to)).toEqual(['959779123456', 'an object', 'an object']);
	});

	test('sends to the other recipients of an item with a wrong one', async () => {
		const items = [{ v: '09779123456, nobody, +6591234567, 09779123457', name: 'Managers' }];
		const options = { allowedCountryCodes: '95' };
		const { json, hints } = await run({ to: '={{ $json.v }}', options }, { items, settings });
		expect(json.map(({ to, details }) => to ?? details)).toEqual([
			'nobody',
			'+6591234567',
			'959779123456',
			'959779123457',
		]);
		expect(json[0].error).toMatch(
			/^To is not a phone number: "nobody"\. Nothing was sent to this recipient\. Use a/,
		);
		expect(json[1].details).toMatchObject({ kind: 'input', field: 'allowedCountryCodes' });
		expect(hints).toEqual(['2 sent (2 parts), 2 not sent: see error.']);
		const rows = await run({ to: '={{ $json.v }}', options, dryRun: true }, { items, settings });
		expect(rows.json.map(({ to, wouldSend }) => [to, wouldSend])).toEqual([
			...[
				['nobody', false],
				['+6591234567', false],
			],
			...[
				['959779123456', true],
				['959779123457', true],
			],
		]);
		expect(sandbox.messages()).toHaveLength(2);
		const stopped = await run({ to: '={{ $json.v }}', options }, { items });
		expect(stopped.error?.message).toBe('To is not a phone number: "nobody"');
		expect(sandbox.messages()).toHaveLength(2);
	});

	test('sends nothing where an expression in Simplify fails, and says so', async () => {
		const simplify = "={{ $json.v === 'a' ? $('Nowhere').first() : true }}";
		const items = [{ v: 'a' }, { v: 'b' }];
		const { json } = await run({ simplify }, { items, settings });
		expect(json).toEqual([
			expect.objectContaining({ error: expect.stringContaining("Referenced node doesn't exist") }),
			expect.objectContaining({ messageId: sandbox.messages()[0].messageId }),
		]);
		expect(sandbox.messages()).toHaveLength(1);
		const stopped = await run({ simplify }, { items });
		expect(stopped.error?.message).toContain("Referenced node doesn't exist");
		expect(sandbox.messages()).toHaveLength(1);
	});
});

describe.each(Object.keys(cases) as NodeWithInput[])('%s and On Error', (node) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, node);
	const { parameters, good, bad } = cases[node];
	const hasTwoOutputs = node === 'OtpVerify';
	/** Equal items share one result. */
	const places = node === 'SmsHistory' ? [0, 1, 2] : [0, 1, 2, 3];
	shortenWaits();
	beforeEach(() => {
		sandbox.seedMessages(1, () => ({ to: '959779123456' }));
	});

	test('stops at the item that failed', async () => {
		const { outputs, error } = await run(parameters, { items: [bad, good] });
		expect(outputs.flat()).toEqual([]);
		expect(error?.message).toMatch(/ \(item 1 of 2\)$/);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('says which item failed, and leaves the editor no other count to add', async () => {
		const { error } = await run(parameters, { items: [good, bad, good] });
		expect(error).toMatchObject({
			message: expect.stringMatching(/ \(item 2 of 3\)$/),
		});
		expect((error as { context?: { itemIndex?: number } }).context?.itemIndex).toBeUndefined();
	});

	test.each(onErrors)('says first whether anything was sent, with On Error %s', async (onError) => {
		const { outputs, error } = await run(parameters, { items: [bad], settings: { onError } });
		const [{ json }] = outputs.flat().length > 0 ? outputs.flat() : [{ json: {} as IDataObject }];
		const { description = error?.description } = (json.details ?? {}) as IDataObject;
		const [ifStopped, ifContinued] = outcomes[node] ?? ['', ''];
		const expected = onError === 'stopWorkflow' ? ifStopped : ifContinued;
		expect(String(description).slice(0, expected.length)).toBe(expected);
		expect(/\bsent\b|access/.test(String(description))).toBe(expected !== '');
	});

	test('goes on with the other items, and puts the failed one in its place', async () => {
		const { outputs } = await run(parameters, {
			items: [bad, good, bad, good],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(outputs).toHaveLength(hasTwoOutputs ? 2 : 1);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			places.map((item) => ({ item })),
		);
		expect(outputs[0].map(({ json }) => 'error' in json)).toEqual(
			places.map((item) => item % 2 === 0),
		);
		const failed = outputs[0].filter(({ json }) => 'error' in json);
		const keys = ['error', 'details', ...(hasTwoOutputs ? ['verified', 'reason'] : [])];
		const isFor = parameters.to === undefined ? [] : ['to'];
		const isSending = /^Sms(Bulk)?Send$/.test(node);
		for (const { json } of failed)
			expect(Object.keys(json)).toEqual([...isFor, ...keys, ...(isSending ? ['result'] : [])]);
		if (hasTwoOutputs) expect(outputs[1]).toEqual([]);
	});

	test('hands failed items to the error output, the last one', async () => {
		const { outputs } = await run(parameters, {
			items: [bad, good, bad],
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs.map((items) => items.map((item) => item.pairedItem))).toEqual([
			[{ item: 1 }],
			...(hasTwoOutputs ? [[]] : []),
			[
				{ item: 0, input: undefined },
				{ item: 2, input: undefined },
			].map(({ item }) => expect.objectContaining({ item })),
		]);
		for (const { json } of outputs.at(-1) ?? []) {
			expect(json).toMatchObject({ error: expect.any(String), details: expect.any(Object) });
		}
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'makes an item of an expression that fails with On Error %s',
		async (onError) => {
			const [name] = Object.keys(parameters);
			const broken = '={{ $("Nowhere").first().json.v }}';
			const value = parameters[name];
			const isNested = typeof value === 'object';
			const nested = isNested && { [Object.keys(value as object)[0]]: broken };
			const { outputs } = await run(
				{ [name]: nested || broken },
				{
					items: [{ v: 'a' }, { v: 'b' }],
					settings: { onError },
				},
			);
			const failed = outputs.flat();
			expect(failed.map(({ json }) => typeof json.error)).toEqual(['string', 'string']);
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);

	test.each(onErrors)(
		'says that the credential is missing, for each item that it goes on with, with On Error %s',
		async (onError) => {
			const { outputs, error } = await run(parameters, {
				items: [good, good],
				settings: { onError, credentials: undefined },
			});
			const told = outputs.flat().map(({ json }) => json.error);
			if (onError === 'stopWorkflow') expect(error?.message).toMatch(/credential/);
			else
				expect(told).toEqual([
					expect.stringMatching(/credential.*\(item 1 of 2\)/),
					expect.stringMatching(/credential.*\(item 2 of 2\)/),
				]);
			if (hasTwoOutputs) expect(outputs[1] ?? []).toEqual([]);
		},
	);
});

describe.each(['SmsSend', 'SmsBulkSend'] as const)('an item that %s could not send', (node) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, node);
	shortenWaits();
	const items = [
		{ Name: 'Thida', phone: '0912' },
		{ name: 'Aung', phone: '09000000011' },
		{ phone: '' },
	];
	const parameters = { to: '={{ $json.phone }}' };

	test('keeps the number and the name of the input with On Error continueRegularOutput', async () => {
		const { json } = await run(parameters, {
			items,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json.map(({ details }) => details)).toMatchObject([
			{ to: '0912', name: 'Thida' },
			{ to: expect.stringMatching(/09000000011|959000000011/), name: 'Aung' },
			{ kind: 'input' },
		]);
		expect(json[2].details).not.toHaveProperty('name');
	});

	test('has all of the input beside it with On Error continueErrorOutput', async () => {
		const { outputs } = await run(parameters, {
			items,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[1].map(({ json }) => json)).toMatchObject(
			items.map((item) => ({ ...item, error: expect.any(String) })),
		);
	});
});

describe.each(sendNodes)('$type that is to stop', ({ type, path }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);

	test.each([1, 3])(
		'begins no further request once the service rejected one for good, %i at a time',
		async (parallelRequests) => {
			sandbox.configure({ latencyMs: 20 });
			sandbox.addFault({ match: { path }, effect: { status: 401 } });
			const options = { ...onlyOne(type), parallelRequests };
			const { error } = await run({ ...mapped, options }, { items: wantedMessages(30) });
			expect(error?.httpCode).toBe('401');
			expect(sandbox.requests().map(({ path }) => path)).toHaveLength(parallelRequests);
		},
	);
});
