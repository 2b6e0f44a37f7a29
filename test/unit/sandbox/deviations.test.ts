import type { Deviation } from '../../../sandbox/shapes';
import { callSandbox, list, send } from '../../support/sandbox/callSandbox';
import { startReceiver } from '../../support/sandbox/startReceiver';
import { useSandbox } from '../../support/workflow/useSandbox';

type Fields = Record<string, unknown>;

const sandbox = useSandbox({ methods: 'any', knownSenders: ['Shop'] });
const message = ' Tom & "Ann"\r\n ';

const first = ({ data }: { data: { messages?: Fields[] } }) => data.messages?.[0];
const post = (path: string, body: unknown) => callSandbox(sandbox, { method: 'POST', path, body });
const bulk = (to: string[]) =>
	post('/rest/send/bulk', { messages: [{ to, message: 'x', from: 'Shop' }] });
const listed = async () => {
	await send(sandbox, { message });
	return first(await list(sandbox));
};
/** Of 50 messages. */
const page = async (query: Record<string, string>) => {
	sandbox.seedMessages(50);
	const { data } = await list(sandbox, query);
	const { messages, limit, records, start } = data as { messages: Fields[] } & Fields;
	return {
		texts: messages.map((one) => one.message),
		length: messages.length,
		limit,
		records,
		start,
	};
};
const requestCode = async () => {
	const query = { to: '09779123456', brand: 'Shop', from: 'Shop' };
	await callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
	return sandbox.codes().at(-1)?.code.length;
};

const sent = async () => first(await send(sandbox));
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.source;

/** What a client sees: shapes that documents and published clients show, or that follow from them. */
const shapes: Array<[Deviation, () => unknown, unknown]> = [
	['number-form', sent, { to: '09779123456' }],
	['number-form:masked', sent, { to: '959*******' }],
	['number-form:short', sent, { to: '9779123456' }],
	['number-form:missing', sent, expect.not.objectContaining({ to: expect.anything() })],
	['history-number', listed, { to: '09779123456' }],
	['history-number:masked', listed, { to: '959*******' }],
	['history-number:short', listed, { to: '9779123456' }],
	['history-number:missing', listed, expect.not.objectContaining({ to: expect.anything() })],
	['history-text:cut', listed, { message: message.slice(0, 10) }],
	['history-text:escaped', listed, { message: ' Tom &amp; &quot;Ann&quot;\r\n ' }],
	['history-text:trimmed', listed, { message: message.trim() }],
	['history-text:lf', listed, { message: ' Tom & "Ann"\n ' }],
	[
		'time-form',
		listed,
		{ createdAt: expect.stringMatching(`${time}\\.\\d+Z$`), scheduledAt: null },
	],
	['time-form:zone', listed, { createdAt: expect.stringMatching(`${time}\\+06:30$`) }],
	['time-form:offset', listed, { createdAt: expect.stringMatching(`${time}\\+0000$`) }],
	['reference-empty', listed, { clientReference: null }],
	['history-pages', () => page({ page: '1' }), { start: 20, records: 50, length: 20 }],
	['history-pages:repeated', () => page({}), { length: 40, records: 50, limit: 20 }],
	['page-sizes:claimed', () => page({ limit: '100' }), { length: 20, records: 50, limit: 100 }],
	['history-last-page', () => page({ page: '9' }), { length: 10, start: 40 }],
	['history-filters:ignored', () => page({ from: 'Other', message: 'x' }), { records: 50 }],
	[
		'links-plain',
		async () => (await list(sandbox, { from: 'Shop' })).data.links,
		{
			first: expect.stringMatching(/\/rest\/messages\?from=Shop&page=1$/),
		},
	],
	[
		'error-422:list',
		async () => (await send(sandbox, { to: '1' })).data,
		[{ field: 'to', message: 'To is not a valid mobile number.' }],
	],
	[
		'sender-unregistered:data',
		async () => first(await send(sandbox, { from: 'Other' })),
		{
			...{
				status: false,
				message: 'Invalid Sender ID',
				data: expect.stringMatching(/not registered/),
			},
		},
	],
	['number-plus', async () => (await bulk(['+959779123456'])).status, 422],
	['number-plus', sent, { to: '959779123456' }],
	['number-plus:escaped', async () => (await bulk(['%2B959779123456'])).status, 201],
	['number-plus:escaped', async () => (await bulk(['+959779123456'])).status, 422],
	['envelope', async () => (await send(sandbox)).data, { data: { messages: [{}] } }],
	['envelope:list', async () => (await send(sandbox)).data, [{ status: 'Accepted' }]],
	['otp-defaults:length', requestCode, 4],
];

test.each(shapes)('%s: the service shows it (%#)', async (id, look, wanted) => {
	sandbox.configure({ deviate: [id] });
	const seen = await look();
	if (typeof seen === 'number') expect(seen).toBe(wanted);
	else expect(seen).toMatchObject(wanted as object);
});

test('links lead to history', async () => {
	await send(sandbox);
	const { links } = (await list(sandbox)).data as { links: { self: string } };
	const headers = { Authorization: `Bearer ${sandbox.token}` };
	const followed = await fetch(links.self, { headers });
	expect(await followed.json()).toMatchObject({ records: 1 });
});

test.each([200, 404])(
	'receipt-ping: a receiver that responds %d to a call without one',
	async (status) => {
		const receiver = await startReceiver();
		receiver.statuses.push(status, status);
		sandbox.configure({ deviate: ['receipt-ping'], receiptAttempts: 1 });
		await send(sandbox, { deliveryReceiptUrl: receiver.url });
		await sandbox.advance(10_000);
		await sandbox.settle();
		const calls = receiver.calls.map(({ method, query }) => [method, query.status]);
		const pings = [
			['GET', undefined],
			['POST', undefined],
		];
		expect(calls.slice(0, 3)).toEqual(
			status === 200 ? [...pings, ['POST', 'Sent']] : [pings[0], pings[0]],
		);
		await receiver.close();
	},
);
