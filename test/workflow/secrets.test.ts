import type { IDataObject } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox';
import { shortenDelivery } from '../support/workflow/sending';
import { runAgainst, type NodeName } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, answerText, useStandIn } from '../support/workflow/useStandIn';

const apiKey = 'key/with+plus';
const apiSecret = 'se cret:with "quotes" and ü';
const encryptKey = 'enc+key/of=mine';
const code = '90210733';

/** The forms in which a secret can turn up. */
const secrets = [apiKey, apiSecret, encryptKey, code, `${apiKey}:${apiSecret}`].flatMap(
	(secret) => {
		const base64 = Buffer.from(secret, 'utf8').toString('base64');
		return [secret, base64, encodeURIComponent(secret), encodeURIComponent(base64)];
	},
);

const operations: Array<[NodeName, IDataObject]> = [
	['SmsSend', { options: { encrypt: true, encryptKey, timeout: 60 } }],
	['SmsSend', { options: { surface: 'http', timeout: 60 } }],
	['SmsBulkSend', { options: { timeout: 60 } }],
	['SmsBalance', { options: { timeout: 1_000 } }],
	['SmsHistory', { options: { timeout: 1_000 } }],
	['OtpRequest', { options: { timeout: 1_000 } }],
	['OtpVerify', { code }],
];

const effects: FaultEffect[] = [
	'echo',
	{ echo: { status: 400 } },
	{ echo: { status: 401 } },
	{ echo: { status: 429 } },
	{ status: 403 },
	{ redirect: { location: 'http://127.0.0.1:9/?accessToken=steal' } },
	'brokenJson',
	'cut',
];

describe.each(operations)('%s with %j', (type, parameters) => {
	const sandbox = useSandbox({ apiKey, apiSecret });
	const run = runAgainst(sandbox, type);
	shortenDelivery();

	test.each(effects)('shows no secret when the service responds with %j', async (effect) => {
		sandbox.addFault({ effect });
		const stopped = await run(parameters);
		const continued = await run(parameters, { settings: { onError: 'continueRegularOutput' } });
		const ourNode = { ...continued.run.data.executionData, nodeExecutionStack: [] };
		const saved = JSON.stringify([
			stopped.error,
			stopped.error?.message,
			continued.outputs,
			continued.run.data.resultData.runData.Node.map(({ error, data }) => ({ error, data })),
			ourNode,
		]);
		// n8n saves the node itself with its error, and with it what the user typed in.
		const withoutParameters = saved.replaceAll(/"parameters":\{.*?\}\}/g, '');
		for (const secret of secrets) expect(withoutParameters).not.toContain(secret);
	});
});

describe('a service that repeats the token', () => {
	const service = useStandIn();
	/** Their token has every sign of Base64 that is written in several ways. */
	const credentials = { apiKey: 'ak>>>???of', apiSecret: '~~~>>>???me!' };
	const token = Buffer.from(Object.values(credentials).join(':')).toString('base64');
	shortenDelivery();

	test('shows none of it in a record, however it is escaped', async () => {
		const echo = JSON.stringify(token).replaceAll('/', '\\/').slice(1, -1);
		const record = `{"messageId":"1","status":"Accepted","to":"959779123456","note":"accessToken=${echo}"}`;
		service.answer = () => answerText(201, `{"messages":[${record}]}`);
		const { json } = await runAgainst(service, 'SmsSend')({ simplify: false }, { credentials });
		expect(json).toMatchObject([{ messageId: '1', note: '[hidden]' }]);
	});

	test.each([200, 400, 429, 500])('a %i that says only the code shows none', async (status) => {
		service.answer = () => answerJson(status, { success: false, message: `No code ${code}` });
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const { run } = await runAgainst(service, 'OtpVerify')({ code }, { settings: { onError } });
			const [{ error, data }] = run.data.resultData.runData.Node;
			const said = JSON.stringify([error, error?.message, data]);
			expect(said.replaceAll(/"parameters":\{.*?\}/g, '')).not.toContain(code);
		}
	});
});

const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
const deepList = '['.repeat(20_000) + ']'.repeat(20_000);

const hostileBodies: Array<[string, string, string?]> = [
	['a deep object', deep],
	['a deep list', deepList],
	['a deep record', `{"messages":[{"messageId":"x","to":"959779123456","more":${deep}}]}`],
	['prototype keys', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
	['a prototype key in messages', '{"messages":{"__proto__":{"polluted":1},"length":1}}'],
	['a list of nothing', '{"messages":[null,1,"x",[]]}'],
	['a number', '12345678901234567890'],
	['an empty body', ''],
	['a page', '<html><body>Login</body></html>', 'text/html'],
	['JSON under a wrong content type', '{"messages":[]}', 'application/octet-stream'],
	['lone surrogates', '{"message":"\\ud800 bad \\udc00","status":400}'],
	['control characters', '{"message":"\\u0000\\u001b[31m red \\u202e","status":400}'],
	['two million characters', JSON.stringify({ message: 'x'.repeat(2_000_000) })],
];

describe.each(operations)('%s with %j and a hostile response', (type, parameters) => {
	const service = useStandIn();
	const run = runAgainst(service, type);
	shortenDelivery();

	test.each(hostileBodies)('is safe from %s', async (...[, body, contentType]) => {
		const headers = { 'Content-Type': contentType ?? 'application/json' };
		for (const status of [200, 500]) {
			service.answer = () => answerText(status, body, headers);
			const { json, outputs } = await run(parameters, {
				settings: { onError: 'continueRegularOutput' },
			});
			const items = outputs.flat();
			expect(JSON.stringify(items).length).toBeLessThan(10_000);
			expect(json.every((record) => !('messageId' in record))).toBe(true);
		}
		expect(({} as IDataObject).polluted).toBeUndefined();
		expect(Object.prototype).not.toHaveProperty('polluted');
	});
});

describe('records with hostile keys', () => {
	const service = useStandIn();
	const run = runAgainst(service, 'SmsSend');

	test('come out as data', async () => {
		const record =
			'{"messageId":"1","to":"959779123456","status":"Accepted","__proto__":{"polluted":1},"constructor":"x"}';
		service.answer = () => answerText(201, `{"messages":[${record}]}`);
		const { json, error } = await run();
		expect(error).toBeUndefined();
		expect(json[0].messageId).toBe('1');
		expect((json[0] as { polluted?: unknown }).polluted).toBeUndefined();
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test('are accepted when they are many', async () => {
		const extra = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, n]));
		service.answer = () =>
			answerJson(201, { messages: [{ messageId: '1', status: 'Accepted', ...extra }] });
		const { json } = await run({ simplify: false });
		expect(json[0]).toMatchObject({ messageId: '1', field4999: 4999 });
	});
});
