import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { english, pageHeaders } from '../../nodes/SmsSendAndWaitForResponse/page';
import { pressTiming, webhook } from '../../nodes/SmsSendAndWaitForResponse/respond';

const question = {
	run: '0',
	proof: 'proof',
	to: '959791234567',
	messageId: 'm-1',
	responseType: 'approval',
	message: 'Refund?',
	buttons: [{ value: 'approve', label: 'Approve' }],
	language: 'en',
	waitedUntil: new Date(Date.now() + 600_000).toISOString(),
};

let executions = 0;

/** What n8n hands to the node for a call; `answer` is what it does after the node. */
function openCall(
	method: string,
	{
		execution = String((executions += 1)),
		body = {} as IDataObject,
		recalled = question as unknown,
		q = 'proof',
	} = {},
) {
	const logged: string[] = [];
	const listeners: Record<string, () => void> = {};
	const response = {
		statusCode: 200,
		page: '',
		headers: {} as Record<string, string>,
		setHeader: (name: string, value: string) => (response.headers[name] = value),
		once: (event: string, listener: () => void) => (listeners[event] = listener),
		status: (code: number) => {
			response.statusCode = code;
			return response;
		},
		send: (page: string) => (response.page = page),
	};
	const context = {
		getNode: () => ({ name: 'Ask' }),
		getExecutionId: () => execution,
		logger: { error: (line: string) => logged.push(line) },
		getRequestObject: () => ({ method }),
		getResponseObject: () => response,
		getQueryData: () => ({ q }),
		getBodyData: () => body,
		evaluateExpression: () => {
			if (recalled instanceof Error) throw recalled;
			return recalled;
		},
	};
	const answer = (status: number) => {
		response.statusCode = status;
		listeners.prefinish();
	};
	return {
		take: async () => await webhook.call(context as unknown as IWebhookFunctions),
		response,
		answer,
		logged,
	};
}

const approve = { response: 'approve' };

test('opening the page shows the question, and goes on with nothing', async () => {
	const { take, response } = openCall('GET', { body: approve });
	expect(await take()).toEqual({ noWebhookResponse: true });
	expect(response).toMatchObject({ statusCode: 200, headers: pageHeaders });
	expect(response.page).toContain('Refund?');
});

test('a press goes on, and leaves the page to n8n, which sends it once it has gone on', async () => {
	const { take, response } = openCall('POST', { body: approve });
	const { webhookResponse, workflowData } = await take();
	expect(response).toMatchObject({ page: '', headers: pageHeaders });
	expect(webhookResponse).toContain('recorded');
	expect(workflowData).toMatchObject([[{ json: { data: { approved: true }, timedOut: false } }]]);
});

test('another press waits until n8n has gone on with the first one, and is shown it', async () => {
	const first = openCall('POST', { execution: 'a', body: approve });
	await first.take();
	const second = openCall('POST', { execution: 'a', body: approve });
	const taken = second.take();
	first.answer(200);
	expect(await taken).toEqual({ noWebhookResponse: true });
	expect(second.response.headers).toEqual(pageHeaders);
	expect(second.response.page).toMatch(/already answered[^]*Approve/);
	const visit = openCall('GET', { execution: 'a' });
	await visit.take();
	expect(visit.response.page).toContain('already answered');
});

test('a press that n8n did not go on with stands in nobody’s way: n8n decides', async () => {
	const first = openCall('POST', { execution: 'failed', body: approve });
	await first.take();
	const second = openCall('POST', { execution: 'failed', body: approve });
	const taken = second.take();
	first.answer(500);
	expect(await taken).toHaveProperty('workflowData');
});

test('the press that counts waits a moment, so that the second of a double click gets a page', async () => {
	expect(pressTiming.gatherMs).toBe(250);
	const first = openCall('POST', { execution: 'double', body: approve });
	const taken = first.take();
	await new Promise((resolve) => setTimeout(resolve, 100));
	const second = openCall('POST', { execution: 'double', body: { response: 'approve' } });
	const other = second.take();
	expect(await taken).toHaveProperty('workflowData');
	first.answer(200);
	expect(await other).toEqual({ noWebhookResponse: true });
	expect(second.response.page).toContain('already answered');
});

/** SECURITY.md: "The link opens one question". */
test.each(['GET', 'POST'])(
	'a %s by the link of another question shows and decides nothing',
	async (method) => {
		const { take, response } = openCall(method, { body: approve, q: 'proof of another' });
		expect(await take()).toEqual({ noWebhookResponse: true });
		expect(response).toMatchObject({ statusCode: 410, headers: pageHeaders });
		expect(response.page).not.toContain('Refund?');
	},
);

test('without a question nothing goes on', async () => {
	const { take, response, logged } = openCall('POST', { body: approve, recalled: null });
	expect(await take()).toEqual({ noWebhookResponse: true });
	expect(response.statusCode).toBe(410);
	expect(response.page).toContain('Nothing was recorded');
	expect(logged).toEqual([]);
});

describe('an error of the page', () => {
	const words = 'Something went wrong. Open the link again in a minute.';

	test('says so and closes nothing, without a word of what failed', async () => {
		const recalled = new TypeError('of 959791234567 with proof-of-the-link');
		const { take, response, logged } = openCall('POST', { body: approve, recalled });
		expect(await take()).toEqual({ noWebhookResponse: true });
		expect(response).toMatchObject({ statusCode: 500, headers: pageHeaders });
		expect(response.page).toContain(words);
		expect(response.page).not.toContain(english.closed);
		expect(logged).toEqual([
			expect.stringMatching(/^Ask \(execution \d+\): .*TypeError at .*respond\.test\.ts:\d+/),
		]);
		expect(`${response.page}${logged[0]}`).not.toMatch(/959791234567|proof-of-the-link/);
	});

	test('is told in the language of the page', async () => {
		const recalled = { ...question, buttons: null, language: 'my' };
		const { take, response, logged } = openCall('GET', { recalled });
		expect(await take()).toEqual({ noWebhookResponse: true });
		expect(response.statusCode).toBe(500);
		expect(response.page).toMatch(/lang="my"[^]*တစ်ခုခု မှားယွင်း/);
		expect(logged).toEqual([expect.stringContaining('TypeError')]);
	});
});
