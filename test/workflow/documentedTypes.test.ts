import { runAgainst } from '../support/workflow/runAgainst';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

/** The output has the types of the documentation, whatever a service writes ("Message record", "Balance"). */
describe('a service that writes numbers as text, and texts as numbers', () => {
	const service = useStandIn();
	const record = {
		...{ messageId: 4711, message: 2026, to: 959779123456, clientReference: 7, from: 1234 },
		...{ status: 'Accepted', messageCount: '2', test: 0, createdAt: '2026-11-20 14:00:00' },
	};
	const typed = {
		...{ messageId: '4711', message: '2026', to: '959779123456', clientReference: '7' },
		...{ from: '1234', status: 'Accepted', messageCount: 2, test: false },
	};

	test('verifies a code', async () => {
		const verifiedAt = '2026-11-20 14:01:00';
		service.answer = () => answerJson(201, { request_id: 184512007, to: 959779123456, verifiedAt });
		const { outputs } = await runAgainst(service, 'OtpVerify')();
		const to = '959779123456';
		expect(outputs[1][0].json).toEqual({ verified: true, requestId: '184512007', to, verifiedAt });
		const expected = { expectedTo: '09779123456' };
		expect((await runAgainst(service, 'OtpVerify')(expected)).outputs[1]).toHaveLength(1);
	});

	test('requests a code', async () => {
		service.answer = () => answerJson(201, { channel: 'SMS', requestId: 7, to: 959779123456 });
		const { json } = await runAgainst(service, 'OtpRequest')();
		expect(json).toMatchObject([{ requestId: 7, to: '959779123456' }]);
	});

	test.each([
		['1000.50', 1000.5],
		['0', 0],
		['-3.5', -3.5],
		['1,000', '1,000'],
		['12345678901234567890', '12345678901234567890'],
		[500, 500],
	])('has the balance %j', async (balance, expected) => {
		service.answer = () => answerJson(200, { balance, currency: 'MMK' });
		const { json } = await runAgainst(service, 'SmsBalance')();
		expect(json).toEqual([{ balance: expected, currency: 'MMK' }]);
	});

	test('sends one message, and lists it', async () => {
		service.answer = () => answerJson(201, { messages: [record], limit: 20, records: 1 });
		for (const node of ['SmsSend', 'SmsHistory'] as const) {
			const { json } = await runAgainst(service, node)({ simplify: false });
			expect(json).toMatchObject([typed]);
		}
	});

	test('sends in bulk', async () => {
		service.answer = () => answerJson(201, { messages: [record] });
		const { json } = await runAgainst(service, 'SmsBulkSend')({ simplify: false });
		expect(json).toMatchObject([typed]);
	});
});
