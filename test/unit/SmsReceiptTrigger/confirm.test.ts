import type { IWebhookFunctions } from 'n8n-workflow';

import { confirmTiming, keepConfirmed } from '../../../nodes/SmsReceiptTrigger/confirm';
import { parseReceipts } from '../../../nodes/shared/receipt/receipt';
import { openContext } from '../../workflow/openContext';
import { useSandbox } from '../../workflow/useSandbox';
import { answerJson, useStandIn } from '../../workflow/useStandIn';

const { waitsMs } = confirmTiming;
const toReceipt = (fields: object) => parseReceipts({ query: fields, body: undefined })[0];

describe('a receipt that is to be confirmed', () => {
	const sandbox = useSandbox();
	beforeAll(() => void Object.assign(confirmTiming, { waitsMs: [0, 1, 2] }));
	afterAll(() => void Object.assign(confirmTiming, { waitsMs }));
	const confirm = async (...fields: object[]) => {
		const context = openContext(sandbox) as unknown as IWebhookFunctions;
		return await keepConfirmed(context, fields.map(toReceipt));
	};
	const seed = (status: string, to = '959779100001') => {
		sandbox.seedMessages(1, () => ({ to, status: status as never, clientReference: 'order-7' }));
		return { messageId: sandbox.messages()[0].messageId, to, status, clientReference: 'order-7' };
	};

	test.each(['959779100001', '09779100001', '+95 9779100001', '0095 9779100001'])(
		'passes when history agrees, whatever way %s is written',
		async (to) => expect(await confirm({ ...seed('Delivered'), to })).toHaveLength(1),
	);

	test.each([
		{ to: '959779100002' },
		{ to: '959779100001@example.com' },
		{ to: 'order 959779100001' },
		{ to: '959779100001,959779100002' },
		{ clientReference: 'order-8' },
		{ messageId: 'made-up' },
		{ status: 'Failed' },
	])('is dropped with %j, which history knows otherwise', async (lie) =>
		expect(await confirm({ ...seed('Delivered'), ...lie })).toEqual([]),
	);

	const ends = ['Failed', 'Undelivered', 'Rejected', 'Error', 'Expired'];
	const contradictions = ['Delivered', ...ends].flatMap((known) =>
		['Success', ...ends]
			.filter(
				(reported) => reported !== known && !(known === 'Delivered' && reported === 'Success'),
			)
			.map((reported) => [known, reported] as const),
	);
	test.each(contradictions)(
		'is dropped where history says %s and it says %s',
		async (known, status) => expect(await confirm({ ...seed(known), status })).toEqual([]),
	);

	test.each([
		['Delivered', 'DELIVERED'],
		['Expired', 'expired '],
		['Delivered', 'Success'],
		['Success', 'Delivered'],
	])('passes where history says %s and it says %s', async (known, status) =>
		expect(await confirm({ ...seed(known), status })).toHaveLength(1),
	);

	test('is asked for again while history is not as far', async () => {
		expect(await confirm({ ...seed('Sent'), status: 'Delivered' })).toBeUndefined();
	});

	test('is asked for again when history cannot be read', async () => {
		const receipt = seed('Delivered');
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		expect(await confirm(receipt)).toBeUndefined();
	});

	test('abroad is found by the day', async () => {
		expect(await confirm(seed('Delivered', '6591234567'))).toHaveLength(1);
		expect(sandbox.requests()[0].query).not.toHaveProperty('to');
	});

	test('asks nothing where there is none', async () => {
		expect(await confirm()).toEqual([]);
		expect(sandbox.requests()).toEqual([]);
	});
});

describe('a receipt of a service that counts its messages', () => {
	const service = useStandIn();

	test('is confirmed by a record whose messageId is a number', async () => {
		const messages = [{ messageId: 4711, to: '959779100001', status: 'Delivered' }];
		service.answer = () => answerJson(200, { messages, limit: 1000, records: 1 });
		const context = openContext(service) as unknown as IWebhookFunctions;
		const receipt = toReceipt({ messageId: '4711', status: 'Delivered' });
		expect(await keepConfirmed(context, [receipt])).toEqual([receipt]);
	});

	test.each(['undefined', 'null'])(
		'is not, where it names %s, by a record without one',
		async (id) => {
			const messages = [
				{ to: '959779100001', status: 'Delivered' },
				{ messageId: null, to: '959779100001', status: 'Delivered' },
			];
			service.answer = () => answerJson(200, { messages, limit: 1000, records: 2 });
			const context = openContext(service) as unknown as IWebhookFunctions;
			const receipt = toReceipt({ messageId: id, status: 'Delivered' });
			expect(await keepConfirmed(context, [receipt])).toEqual([]);
		},
	);
});
