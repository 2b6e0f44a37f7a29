import { nodeNames, runAgainst, type NodeName } from '../support/workflow/runAgainst';
import type { RunResult } from '../support/workflow/runWorkflow';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { answerJson, useStandIn, type ReceivedRequest } from '../support/workflow/useStandIn';

const pathsOf = ({ requests }: { requests: ReceivedRequest[] }) => requests.map(({ path }) => path);
const isRead = (node: NodeName) => node === 'SmsBalance' || node === 'SmsHistory';
/** Sends look into history when they do not know what became of a message; these are the others. */
const ownPathsOf = (service: { requests: ReceivedRequest[] }, node: NodeName) =>
	pathsOf(service).filter((path) => node === 'SmsHistory' || path !== '/rest/messages');

/** What went well: OTP Verify has a second output for it. */
const goodOnes = (node: NodeName, { outputs }: RunResult) =>
	outputs[node === 'OtpVerify' ? 1 : 0] ?? [];

const errorBody = (status: number, name: string, message: string) => ({
	name,
	message,
	code: 0,
	status,
});

describe.each(nodeNames)('%s and the errors of the service', (node) => {
	const service = useStandIn();
	const run = runAgainst(service, node);
	shortenWaits();

	test('sends once, and names the credential and the whitelist, after a 401', async () => {
		const body = errorBody(401, 'Unauthorized', 'Your request was made with invalid credentials.');
		service.answer = () => answerJson(401, body);
		const { outputs, error } = await run();
		expect(outputs.flat()).toEqual([]);
		expect(error).toMatchObject({
			httpCode: '401',
			message: expect.stringContaining('HTTP 401'),
			description: expect.stringMatching(/IP allowlist.*Your request was made with invalid cred/s),
		});
		expect(pathsOf(service)).toHaveLength(1);
	});

	test('begins no further items after a 401, which they would get as well', async () => {
		service.answer = () => answerJson(401, {});
		const items = Array.from({ length: 30 }, (_, n) => ({ text: `Message ${n}` }));
		const options = { parallelRequests: 1, recipientsPerRequest: 1 };
		const { error } = await run({ message: '={{ $json.text }}', options }, { items });
		expect(error?.message).toContain('(item 1 of ');
		expect(service.requests.length).toBeLessThan(10);
	});

	test.each([
		[400, { message: 'Invalid request!.', code: 0, status: 400 }, 'Invalid request!.'],
		[403, errorBody(403, 'Forbidden', 'Forbidden'), 'Forbidden'],
		[404, errorBody(404, 'Not Found', 'Page not found.'), 'Page not found.'],
		[402, { message: 'Insufficient balance.' }, 'Insufficient balance.'],
		[422, [{ field: 'to', message: 'To is invalid.' }], 'to: To is invalid.'],
		[409, { error: { message: 'Not now' } }, 'Not now'],
		[418, { message: { message: 'Deep' } }, 'Deep'],
		[400, 'not JSON', '400'],
		[400, null, '400'],
	])('passes on what the service says with a %i: %j', async (status, body, words) => {
		service.answer = ({ path }) =>
			path === '/rest/messages' && node === 'SmsBulkSend'
				? answerJson(200, { messages: [], limit: 1000, records: 0 })
				: answerJson(status, body);
		const result = await run();
		const { outputs, error } = result;
		expect(goodOnes(node, result)).toEqual([]);
		expect(JSON.stringify([outputs, error?.message, error?.description])).toContain(words);
		// What a refused bulk request did is asked of history, and it is not sent again.
		const isLook = ({ path }: { path: string }) =>
			node === 'SmsBulkSend' && path === '/rest/messages';
		expect(
			service.requests.filter((request) => !isLook(request)).map(({ path }) => path),
		).toHaveLength(1);
	});

	test('treats an error body inside a 2xx as the error that it is', async () => {
		service.answer = () => answerJson(200, errorBody(403, 'Forbidden', 'Not enabled'));
		const { outputs, error } = await run();
		expect(outputs.flat()).toEqual([]);
		expect(error).toMatchObject({ httpCode: '403' });
	});

	test.each([
		{ status: false, message: 'Invalid Sender ID' },
		{ messages: [{ status: false, message: 'Invalid Sender ID' }] },
	])('treats the rejection %j inside a 2xx as one', async (body) => {
		if (node === 'SmsHistory' && body.messages) return;
		service.answer = () => answerJson(201, body);
		const result = await run();
		const { outputs, error } = result;
		expect(goodOnes(node, result)).toEqual([]);
		expect(JSON.stringify([outputs, error?.message])).toContain('Invalid Sender ID');
		expect(pathsOf(service)).toHaveLength(1);
	});

	test('waits and retries after a 429, except where each attempt counts', async () => {
		service.answer = () => answerJson(429, {}, { 'Retry-After': '0' });
		const { error } = await run();
		expect(error).toMatchObject({ httpCode: '429' });
		const tries = isRead(node) ? 5 : 4;
		expect(pathsOf(service)).toHaveLength(node === 'OtpVerify' ? 1 : tries);
	});

	test.each([500, 502, 503])(
		'never repeats anything but a read blindly after a %i',
		async (status) => {
			service.answer = ({ path }) =>
				path === '/rest/messages' && node !== 'SmsHistory'
					? answerJson(500, {})
					: answerJson(status, errorBody(status, 'Bad', 'Try later'));
			const { outputs, error } = await run();
			expect(outputs.flat()).toEqual([]);
			expect(error?.message).toMatch(/HTTP 50\d/);
			expect(ownPathsOf(service, node)).toHaveLength(isRead(node) ? 5 : 1);
		},
	);
});

describe.each(nodeNames)('%s and redirects', (node) => {
	const service = useStandIn();
	const elsewhere = useStandIn();
	const run = runAgainst(service, node);
	shortenWaits();

	test.each([301, 302, 303, 307, 308])('follows no %i to another server', async (status) => {
		elsewhere.answer = () => answerJson(200, { balance: 1, messages: [{ messageId: 'x' }] });
		const Location = `${elsewhere.baseUrl}/rest/send`;
		service.answer = () => new Response(null, { status, headers: { Location } });
		const result = await run();
		expect(goodOnes(node, result)).toEqual([]);
		expect(result.json.length || result.error).toBeTruthy();
		expect(elsewhere.requests).toEqual([]);
		expect(ownPathsOf(service, node)).toHaveLength(1);
	});
});
