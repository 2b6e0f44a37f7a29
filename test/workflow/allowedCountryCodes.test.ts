import { inCollections } from '../../tools/harness/inCollections';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('digits without + in To of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const dates = ['2026-11-22', '192.168.100.200', '20231234'];

	test.each([
		...[...dates, '6591234567'].map((to) => [to, {}] as const),
		...dates.map((to) => [to, { allowedCountryCodes: '95, 65' }] as const),
	])('are not a number of another country: %s with %j', async (to, options) => {
		const { error } = await run({ to, ...inCollections(options) });
		expect(sandbox.requests().length).toBe(0);
		expect(error?.message).toContain('To');
	});

	test.each([
		['6591234567', { allowedCountryCodes: '95, 65' }],
		['006591234567', {}],
		['+6591234567', {}],
	])('are one if the country is named: %s with %j', async (to, options) => {
		const { json, error } = await run({ to, ...inCollections(options) });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(sandbox.messages().map((message) => message.to)).toEqual(['6591234567']);
	});

	test('are of the first country, also in Do Not Send To, and never of Myanmar', async () => {
		const items = ['0912345678', '912345679', '+84987654321', '09791234567'].map((to) => ({ to }));
		const options = { allowedCountryCodes: '84, 95', doNotSendTo: '0987654321, 09779000000' };
		const settings = { onError: 'continueRegularOutput' } as const;
		const to = '={{ $json.to }}';
		const { json } = await run({ to, ...inCollections(options) }, { items, settings });
		expect(json.map(({ skipped, error }) => skipped ?? typeof error)).toEqual([
			...['undefined', 'undefined', 'optedOut', 'string'],
		]);
		const sent = sandbox.messages().map((message) => message.to);
		expect(sent).toEqual(['84912345678', '84912345679']);
	});

	test('of another home never miss an opt-out of Myanmar', async () => {
		const options = { allowedCountryCodes: '60, 95', doNotSendTo: '09791234567' };
		const { json } = await run({ to: '+959791234567', ...inCollections(options) });
		expect(json[0].skipped).toBe('optedOut');
		expect(sandbox.messages()).toEqual([]);
	});

	test('are no number without their +, and the error shows one with it', async () => {
		const { error } = await run({ to: '6591234567' });
		expect(error?.message).toContain('To is not a phone number: "6591234567"');
		expect(error?.description).toContain('use + and country code, such as +6591234567');
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
