import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const page = '<!DOCTYPE html><title>Blocked by policy</title>';
const html = { 'Content-Type': 'text/html' };
const responses: Array<[string, () => Response]> = [
	['a 308', () => new Response(null, { status: 308, headers: { Location: 'https://b.example' } })],
	['a 403 of a firewall', () => new Response(page, { status: 403, headers: html })],
	['a website', () => new Response(page, { status: 200, headers: html })],
	['a 404 of a web server', () => new Response(page, { status: 404, headers: html })],
	...[407, 410, 421, 426].map((status): [string, () => Response] => [
		`a ${status}`,
		() => answerJson(status, { message: 'No' }),
	]),
];

describe.each(responses)('%s is not the service', (_, answer) => {
	const service = useStandIn();
	shortenWaits();
	beforeEach(() => void (service.answer = answer));

	test.each(['SmsSend', 'SmsBulkSend', 'OtpRequest'] as const)(
		'to %s: not sent, and nothing is looked up',
		async (node) => {
			const { error, outputs } = await runAgainst(service, node)();
			expect(outputs.flat()).toEqual([]);
			expect(error?.description).toMatch(
				/^(The message was not sent|No code was sent)\. Check the Base URL in the credential.* proxy/,
			);
			expect(service.requests).toHaveLength(1);
		},
	);

	test('to OTP Verify: an error that the code could not be checked', async () => {
		const check = runAgainst(service, 'OtpVerify');
		expect((await check()).error?.message).toMatch(/^The code could not be checked\. /);
		const { outputs } = await check({}, { settings: { onError: 'continueRegularOutput' } });
		expect(outputs[1] ?? []).toEqual([]);
		expect(outputs[0][0].json).toMatchObject({
			error: expect.stringMatching(/^The code could not be checked\. /),
			...{ verified: false, reason: 'couldNotCheck' },
		});
	});
});

describe('a page of a proxy that may have passed the request on', () => {
	const service = useStandIn();
	shortenWaits();

	test.each([500, 502, 504])('%i leaves it unknown', async (status) => {
		service.answer = ({ path }) =>
			path === '/rest/messages'
				? answerJson(200, { messages: [], limit: 1000, records: 0 })
				: new Response(page, { status, headers: html });
		const options = { whenOutcomeUnknown: 'report' };
		const { error } = await runAgainst(service, 'SmsSend')({ options });
		expect(error?.message).toMatch(/^Outcome unknown/);
	});

	test('a 413 is about the size: a bulk request is divided', async () => {
		service.answer = ({ path, body }) => {
			if (path === '/rest/messages') return answerJson(200, { messages: [], limit: 1000 });
			const { messages } = JSON.parse(body) as { messages: Array<{ to: string[] }> };
			const numbers = messages.flatMap(({ to }) => to);
			if (numbers.length > 10) return new Response(page, { status: 413, headers: html });
			const records = numbers.map((to) => ({ messageId: to, to, status: 'Accepted' }));
			return answerJson(201, { messages: records });
		};
		const items = Array.from({ length: 30 }, (_, n) => ({ to: `9597910000${10 + n}` }));
		const { json } = await runAgainst(service, 'SmsBulkSend')({ to: '={{ $json.to }}' }, { items });
		expect(json).toHaveLength(30);
	});
});
