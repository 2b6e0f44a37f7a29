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
const ofNobody = async () => {
	await sandbox.send();
	return (await sandbox.list({ from: 'Other', message: 'x' })).data;
};
const codeLength = async () => {
	await sandbox.requestCode();
	return sandbox.codes().at(-1)?.code.length;
};

/** What a client sees, where `npm run check` does not tell one shape from another. */
const shapes: Array<[Deviation, () => unknown, unknown]> = [
	['history-text:escaped', listed, { message: ' Tom &amp; &quot;Ann&quot;\r\n ' }],
	['history-text:trimmed', listed, { message: message.trim() }],
	['reference-empty', listed, { clientReference: null }],
	['history-filters:ignored', ofNobody, { records: 1 }],
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
