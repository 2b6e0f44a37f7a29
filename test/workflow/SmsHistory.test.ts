import type { IDataObject } from 'n8n-workflow';

import { statusChoices } from '../../nodes/shared/client/status';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

describe('SMS History', () => {
	const sandbox = useSandbox();
	const list = runAgainst(sandbox, 'SmsHistory');
	const queries = () => sandbox.requests().map((request) => request.query);
	shortenWaits();

	test('sends every filter under its own name', async () => {
		const filters = {
			filterByCreatedDateFrom: '2026-01-31T10:00:00',
			filterByCreatedDateTo: '2026-02-28',
			from: 'MyShop',
			to: '09779123456',
			message: 'order & more',
		};
		await list({ filters });
		expect(queries()[0]).toEqual({
			filterByCreatedDateFrom: '2026-01-31',
			filterByCreatedDateTo: '2026-02-28',
			from: 'MyShop',
			to: '959779123456',
			message: 'order & more',
			limit: '1000',
			page: '1',
		});
	});

	test('sends days as they are in the Service Time Zone of the credential', async () => {
		const filters = { filterByCreatedDateFrom: '2026-11-19T18:00:00Z' };
		await list({ filters });
		await list({ filters }, { credentials: { serviceTimeZone: 'UTC' } });
		expect(queries().map(({ filterByCreatedDateFrom }) => filterByCreatedDateFrom)).toEqual([
			'2026-11-20',
			'2026-11-19',
		]);
	});

	test.each(['+6591234567', '006591234567'])(
		'rejects %p, since history knows numbers that start with 95 only',
		async (to) => {
			const { error } = await list({ filters: { to } });
			expect(error?.message).toContain('To');
			expect(error?.description).toContain('Myanmar');
			expect(sandbox.requests()).toEqual([]);
		},
	);

	test('says how many there are if Limit leaves some out', async () => {
		sandbox.seedMessages(7);
		const limited = await list({ returnAll: false, limit: 5 });
		expect(limited.json).toHaveLength(5);
		expect(limited.hints).toEqual(['5 of 7 messages. To get all, switch on Return All.']);
		for (const all of [{ returnAll: true }, { returnAll: false, limit: 7 }])
			expect((await list(all)).hints).toEqual([]);
	});

	test('picks statuses out, also ? and Success, for which the service has no filter', async () => {
		const words = ['Delivered', '?', 'Success', 'Failed'];
		sandbox.seedMessages(8, (n) => ({ status: words[n % 4] }));
		const { json } = await list({ filters: { status: ['?', 'Success'] } });
		expect(json.map((record) => record.status)).toEqual(['Success', '?', 'Success', '?']);
		expect(queries()[0]).toEqual({ limit: '1000', page: '1' });
	});

	test.each([...statusChoices.map(({ value }) => value)])(
		'passes the status %s on as it is, and picks it out in any case',
		async (status) => {
			sandbox.seedMessages(2, (n) => ({ status: n === 0 ? status : 'Other' }));
			const { json } = await list({ filters: { status: [status] } });
			expect(json.map((record) => record.status)).toEqual([status]);
			const again = await list({
				filters: { status: `={{ ${JSON.stringify(status)}.toLowerCase() }}` },
			});
			expect(again.json).toEqual(json);
		},
	);

	test.each(['={{ "failled" }}', ['Delivered', 'Gone'], '={{ 7 }}', '={{ ["Failed", null] }}'])(
		'rejects the status %j, which would be read as "nothing failed"',
		async (status) => {
			const { error } = await list({ filters: { status } });
			expect(error?.message).toMatch(/ is not valid for Status\b/);
			expect(error?.description).toContain('"Failed"');
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);

	test('finds the wanted number of records with a status behind many others', async () => {
		sandbox.seedMessages(2500, (n) => ({ status: n % 500 === 0 ? 'Failed' : 'Delivered' }));
		const filters = { status: ['Failed'] };
		const { json } = await list({ returnAll: false, limit: 4, filters });
		expect(json.map((record) => record.message)).toEqual(
			[2001, 1501, 1001, 501].map((n) => `Seeded message ${n}`),
		);
	});

	test('lists once for each item, and pairs the records with it', async () => {
		sandbox.seedMessages(3);
		const items = [{ to: '959750000000' }, { to: '959750000002' }];
		const { outputs } = await list({ filters: { to: '={{ $json.to }}' } }, { items });
		expect(outputs[0].map(({ json, pairedItem }) => [json.to, pairedItem])).toEqual([
			['959750000000', { item: 0 }],
			['959750000002', { item: 1 }],
		]);
	});

	test('lists equal items once, also with days that $now says', async () => {
		sandbox.seedMessages(2);
		const filterByCreatedDateFrom = '={{ $now.minus({ days: 7 }) }}';
		const items = Array.from({ length: 3 }, (_, n) => ({ n }));
		const { outputs } = await list({ filters: { filterByCreatedDateFrom } }, { items });
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
		expect(queries()).toHaveLength(1);
		const simplify = '={{ $json.n === 2 }}';
		expect((await list({ simplify }, { items })).json).toHaveLength(4);
	});

	test('tells a model counts and the newest ten of all', async () => {
		const status = (n: number) => ({ status: n % 5 === 0 ? 'Failed' : 'Delivered' });
		sandbox.seedMessages(500, status);
		const list = async (parameters: IDataObject) =>
			await runNode(
				{ type: 'SmsHistoryTool', parameters },
				{ credentials: credentialsOf(sandbox) },
			);
		const [told, ...others] = (await list({ returnAll: true })).json;
		expect(told).toMatchObject({ messages: 500, Delivered: 400, Failed: 100 });
		expect(told.newest).toMatchObject(
			Array.from({ length: 10 }, (_, n) => ({ message: `Seeded message ${500 - n}` })),
		);
		expect(others).toEqual([]);
		expect(JSON.stringify(told).length).toBeLessThan(5_000);
		expect((await list({ returnAll: false, limit: 20 })).json).toHaveLength(20);
	});

	test('returns no item, and no failure, if nothing matches', async () => {
		const { outputs, error } = await list();
		expect({ outputs, error }).toEqual({ outputs: [[]], error: undefined });
	});

	test('is reported as unreadable if the response is not a list', async () => {
		sandbox.addFault({ effect: { status: 200, body: { messages: 'none' } } });
		expect((await list()).error?.message).toBe(
			'The response of the service could not be read (HTTP 200)',
		);
	});
});

describe('SMS History of a service that ignores the filters', () => {
	const service = useStandIn();
	const records = [
		{ messageId: 'own', to: '959791234567', from: 'MyShop', createdAt: '2026-11-20 09:00:00' },
		{ messageId: 'masked', to: '959*******', from: 'MyShop', createdAt: '2026-11-20 09:00:00' },
		{ messageId: 'other', to: '959790000000', from: 'Other', createdAt: '2026-11-02 09:00:00' },
	];
	const answer = (messages: object[]) => {
		const list = { messages, limit: 1000, records: messages.length };
		service.answer = () => answerJson(200, list);
	};

	test.each([
		['order-7', 'Order-7'],
		['order-7', ' order-7 '],
		['1234', 1234],
		['007', 7],
	])('finds the reference %j that is listed as %j', async (clientReference, listed) => {
		answer([records[0], { ...records[1], clientReference: listed }]);
		const { json } = await runAgainst(service, 'SmsHistory')({ filters: { clientReference } });
		expect(json.map(({ messageId }) => messageId)).toEqual(['masked']);
	});

	test.each([
		['4f6a6d7e-1c1a', '4f6a6d7e-1c1a'],
		['4f6a6d7e-1c1a', '4F6A6D7E1C1A'],
		['4711', 4711],
	])('finds the message ID %j that is listed as %j', async (messageId, listed) => {
		answer([records[0], { ...records[1], messageId: listed }]);
		const { json } = await runAgainst(service, 'SmsHistory')({ filters: { messageId } });
		expect(json.map((record) => record.messageId)).toEqual([String(listed)]);
	});

	test.each([1234, null, undefined])('lists a message whose sender ID is %j', async (from) => {
		answer([{ ...records[0], from }, records[2]]);
		const of = async (filters: object) =>
			(await runAgainst(service, 'SmsHistory')({ filters })).json.map(({ messageId }) => messageId);
		expect(await of({})).toEqual(['own', 'other']);
		expect(await of({ from: from === 1234 ? '1234' : 'MyShop' })).toEqual(['own']);
	});

	test.each([
		[{ to: '09791234567' }, ['own', 'masked']],
		[{ from: 'MyShop' }, ['own', 'masked']],
		[{ filterByCreatedDateFrom: '2026-11-10' }, ['own', 'masked']],
		[{ filterByCreatedDateTo: '2026-11-10' }, ['other']],
		[{}, ['own', 'masked', 'other']],
	])('lists with %j what may be meant: %j', async (filters, expected) => {
		answer(records);
		const { json } = await runAgainst(service, 'SmsHistory')({ filters });
		expect(json.map(({ messageId }) => messageId)).toEqual(expected);
	});
});

describe('SMS History with Limit', () => {
	const sandbox = useSandbox();
	const list = runAgainst(sandbox, 'SmsHistory');
	const pages = () => sandbox.requests().map(({ query }) => [query.limit, query.page].join('/'));

	test.each([
		[1, ['20/1']],
		[20, ['20/1']],
		[21, ['50/1']],
		[100, ['100/1']],
		[101, ['500/1']],
		[501, ['1000/1']],
		[1000, ['1000/1']],
		[1001, ['1000/1', '1000/2']],
	])('reads %i records with the smallest page that holds them', async (limit, expected) => {
		sandbox.seedMessages(2500);
		const { json } = await list({ returnAll: false, limit });
		expect(json).toHaveLength(limit);
		expect(json[0].message).toBe('Seeded message 2500');
		expect(pages()).toEqual(expected);
	});

	test.each([
		['={{ "false" }}', 2],
		['={{ 0 }}', 2],
		['={{ "true" }}', 7],
		[undefined, 2],
	])('with Return All as %s returns %i', async (returnAll, expected) => {
		sandbox.seedMessages(7);
		expect((await list({ returnAll, limit: 2 })).json).toHaveLength(expected);
	});

	test('says how to get everything', async () => {
		const { error } = await list({ returnAll: false, limit: 0 });
		expect(error).toMatchObject({
			message: 'Limit must be 1 or more, but is 0',
			description: 'To get all messages, switch on Return All.',
		});
	});
});
