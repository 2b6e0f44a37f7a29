import type { Deviation } from '../../../sandbox/shapes';
import { useReceiver, useSandbox } from '../../support/sandbox/harness';

type Fields = Record<string, unknown>;

const sandbox = useSandbox({ knownSenders: ['Shop'] });
const receiver = useReceiver();
const message = ' Tom & "Ann"\r\n ';

const first = ({ data }: { data: { messages?: Fields[] } }) => data.messages?.[0];
const sent = async () => first(await sandbox.send());
const bulk = async (to: string) =>
	(await sandbox.sendBulk([{ to: [to], message: 'x', from: 'Shop' }])).status;
const listed = async () => {
	await sandbox.send({ message });
	return first(await sandbox.list());
};
/** Of 50 messages. */
const page = async (query: Record<string, string>) => {
	sandbox.seedMessages(50);
	const { data } = await sandbox.list(query);
	const { messages, ...others } = data as { messages: Fields[] } & Fields;
	return { ...others, length: messages.length };
};
const codeLength = async () => {
	await sandbox.requestCode();
	return sandbox.codes().at(-1)?.code.length;
};

const without = (name: string): unknown =>
	expect.not.objectContaining({ [name]: expect.anything() });
const createdAt = (end: string) => ({
	createdAt: expect.stringMatching(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d${end}$`),
});

/** What a client sees: shapes that documents and published clients show, or that follow from them. */
const shapes: Array<[Deviation, () => unknown, unknown]> = [
	['number-form', sent, { to: '09779123456' }],
	['number-form:masked', sent, { to: '959*******' }],
	['number-form:short', sent, { to: '9779123456' }],
	['number-form:missing', sent, without('to')],
	['history-number', listed, { to: '09779123456' }],
	['history-number:masked', listed, { to: '959*******' }],
	['history-number:short', listed, { to: '9779123456' }],
	['history-number:missing', listed, without('to')],
	['history-text:cut', listed, { message: message.slice(0, 10) }],
	['history-text:escaped', listed, { message: ' Tom &amp; &quot;Ann&quot;\r\n ' }],
	['history-text:trimmed', listed, { message: message.trim() }],
	['history-text:lf', listed, { message: ' Tom & "Ann"\n ' }],
	['time-form', listed, { ...createdAt('\\.\\d+Z'), scheduledAt: null }],
	['time-form:zone', listed, createdAt('\\+06:30')],
	['time-form:offset', listed, createdAt('\\+0000')],
	['reference-empty', listed, { clientReference: null }],
	['history-pages', () => page({ page: '1' }), { start: 20, records: 50, length: 20 }],
	['history-pages:repeated', () => page({}), { length: 40, records: 50, limit: 20 }],
	['page-sizes:claimed', () => page({ limit: '100' }), { length: 20, records: 50, limit: 100 }],
	['history-filters:ignored', () => page({ from: 'Other', message: 'x' }), { records: 50 }],
	[
		'error-422:list',
		async () => (await sandbox.send({ to: '1' })).data,
		[{ field: 'to', message: 'To is not a valid mobile number.' }],
	],
	[
		'sender-unregistered:data',
		async () => first(await sandbox.send({ from: 'Other' })),
		{ status: false, message: 'Invalid Sender ID', data: expect.stringMatching(/not registered/) },
	],
	[
		'sender-unregistered:bare',
		async () => Object.keys(first(await sandbox.send({ from: 'Other' })) ?? {}),
		['status', 'message'],
	],
	['number-plus', () => bulk('+959779123456'), 422],
	['number-plus', sent, { to: '959779123456' }],
	['number-plus:escaped', () => bulk('%2B959779123456'), 201],
	['number-plus:escaped', () => bulk('+959779123456'), 422],
	['envelope', async () => (await sandbox.send()).data, { data: { messages: [{}] } }],
	['envelope:list', async () => (await sandbox.send()).data, [{ status: 'Accepted' }]],
	['otp-defaults:length', codeLength, 4],
];

test.each(shapes)('%s: the service shows it (%#)', async (id, look, wanted) => {
	sandbox.configure({ deviate: [id] });
	const seen = await look();
	if (typeof seen === 'number') expect(seen).toBe(wanted);
	else expect(seen).toMatchObject(wanted as object);
});

test.each([
	[200, ['GET undefined', 'POST undefined', 'POST Sent']],
	[404, ['GET undefined', 'GET undefined']],
])('receipt-ping: a receiver that responds %d to a call without one', async (status, calls) => {
	receiver.statuses.push(status, status);
	sandbox.configure({ deviate: ['receipt-ping'], receiptAttempts: 1 });
	await sandbox.send({ deliveryReceiptUrl: receiver.url });
	await sandbox.pass(10_000);
	const seen = receiver.calls.map(({ method, query }) => `${method} ${query.status}`);
	expect(seen.slice(0, 3)).toEqual(calls);
});
