import { BulkChannel } from '../../../nodes/SmsBulkSend/BulkChannel';
import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import type { Outgoing } from '../../../nodes/shared/delivery/message';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../../support/workflow/useStandIn';

const numbers = ['959779100001', '959779100002', '959779100003'];
const toOutgoing = (to: string, message = 'Hello') =>
	({ request: { to, message, from: 'MyShop' }, note: {} }) as Outgoing;
const values = { lookBackHours: 2, pauseBetweenRequests: 7, recipientsPerRequest: 50 };
const open = async (service: { baseUrl: string; apiKey: string; apiSecret: string }) => {
	const context = openContext(service, { type: 'SmsBulkSend' });
	const client = await MessagingServiceClient.open(context, { parallelRequests: 5, timeout: 5000 });
	return new BulkChannel(client, values);
};

describe('the channel of bulk requests', () => {
	const sandbox = useSandbox();

	test('keeps fields that it does not know, and tells messages apart by them', async () => {
		const channel = await open(sandbox);
		const messages = numbers.map((to) => toOutgoing(to));
		Object.assign(messages[1].request, { priority: 'high' });
		await channel.send(messages);
		const [{ body }] = sandbox.requests();
		const content = { message: 'Hello', from: 'MyShop' };
		expect(body).toEqual({
			messages: [
				{ ...content, to: [numbers[0], numbers[2]] },
				{ ...content, to: [numbers[1]], priority: 'high' },
			],
		});
	});
});

describe('the responses to a bulk request', () => {
	const standIn = useStandIn();
	const respond = async (messages: object[], count = 2) => {
		standIn.answer = () => answerJson(200, { messages });
		const channel = await open(standIn);
		return await channel.send(numbers.slice(0, count).map((to) => toOutgoing(to)));
	};
	const refusal = { status: false, message: 'Invalid Sender ID' };
	const acceptance = { messageId: 'a', to: numbers[0], message: 'Hello', status: 'Accepted' };
	const refused = { kind: 'rejected', facts: { words: 'Invalid Sender ID' } };

	test('reads a single rejection without a number as that of the whole request', async () => {
		await expect(respond([refusal])).rejects.toMatchObject(refused);
	});

	const masked = (messageId: string) => ({ ...acceptance, messageId, to: '959*******' });
	const left = { ...acceptance, to: numbers[1], messageId: undefined };
	const [two, three] = [['a', 'b'].map(masked), ['a', 'b', 'c'].map(masked)];
	const ids = (records: object[]) => records.map((one) => ({ ...one }));
	test.each<[string, object[], number, unknown[], boolean]>([
		['a single rejection of one message', [refusal], 1, [refused], false],
		['no ID or status', [acceptance, left], 2, [acceptance, undefined], true],
		['masked numbers', three, 3, ids(three), true],
		['masked numbers, and too few', two, 3, [undefined, undefined, undefined], true],
		[
			'a message less',
			[acceptance, { ...refusal, to: numbers[1] }],
			3,
			[acceptance, refused, undefined],
			true,
		],
	])('show %s', async (_, records, count, expected, isAccepted) => {
		const responses = await respond(records, count);
		expect(responses).toMatchObject({ each: expected, isAccepted });
	});
});
