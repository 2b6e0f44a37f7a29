import type { IDataObject } from 'n8n-workflow';

import { deviations } from '../../sandbox/shapes';
import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';

const sandbox = useSandbox({ knownSenders: ['MyShop'] });
shortenWaits();

const tell = (error: unknown): string =>
	error === undefined ? 'works' : `told: ${(error as Error).message}`;

/** Whether the code was verified; the items of OTP Verify are those of its first output with any. */
const describeCheck = ({ told: words, outputs }: { told: string; outputs: object[][] }): string =>
	words === 'works' ? `works, ${outputs[0]?.length === 0}` : words;

/** What each node does: works, or the error that the user reads. */
async function useAll(): Promise<Record<string, string>> {
	const run = async (
		type: Parameters<typeof runAgainst>[1],
		parameters: IDataObject = {},
		items: IDataObject[] = [{}],
	) => {
		const { error, json, outputs } = await runAgainst(sandbox, type)(parameters, { items });
		return { told: tell(error), json, outputs };
	};
	const options = { test: true, unicode: true, encrypt: true, clientReference: 'a' };
	const send = await run('SmsSend', { options });
	const texts = { to: '={{ $json.to }}', message: '={{ $json.text }}' };
	const bulk = await run('SmsBulkSend', texts, [
		{ to: '09779123456', text: 'one' },
		{ to: '09779123457', text: 'two' },
	]);
	const byQuery = await run('SmsSend', { options: { surface: 'http' } });
	const history = await run('SmsHistory');
	const balance = await run('SmsBalance');
	const request = await run('OtpRequest', { options: { ttl: 60 } });
	const otp = sandbox.codes().at(-1);
	const { requestId = '184512007' } = (request.json[0] ?? {}) as { requestId?: string };
	const wrong = await run('OtpVerify', { requestId, code: otp?.code === '1111' ? '2222' : '1111' });
	const right = await run('OtpVerify', { requestId, code: otp?.code ?? '0000' });
	sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', count: 1, effect: 'cut' });
	const lost = await run('SmsSend', { to: '09779123499', message: 'two  spaces' });
	const copies = sandbox.messages().filter(({ to }) => to === '959779123499').length;
	const inBulk = sandbox.messages().filter(({ sentBy }) => sentBy === '/rest/send/bulk').length;
	return {
		...{
			send: send.told,
			bulk: `${bulk.told}, ${inBulk}`,
			byQuery: byQuery.told,
			history: history.told,
		},
		...{ balance: balance.told, request: request.told },
		wrongCode: describeCheck(wrong),
		rightCode: describeCheck(right),
		lost: `${lost.told}, ${copies}`,
	};
}

const working = {
	...{ send: 'works', bulk: 'works, 2', byQuery: 'works', history: 'works', balance: 'works' },
	...{ request: 'works', wrongCode: 'works, false', rightCode: 'works, true', lost: 'works, 1' },
};
const notFound = expect.stringMatching(/^told: The service was not found .*HTTP 405/);
const inBulk = (words: string) => expect.stringMatching(new RegExp(`^told: ${words}.*, 0$`));
const credential = expect.stringMatching(/^told: The service rejected the credential/);
const isInDoubt = (copies: number) =>
	expect.stringMatching(new RegExp(`^told: Outcome unknown: .*, ${copies}$`));
const flagRejected = { send: expect.stringMatching(/^told: Rejected by the service: .* boolean/) };
const unread = expect.stringMatching(/^told: The response of the service could not be read/);
const unreadSends = {
	...{ send: expect.stringMatching(/^told: Outcome unknown/), bulk: isInDoubt(2) },
	...{ byQuery: expect.stringMatching(/^told: Outcome unknown/), history: unread },
	lost: isInDoubt(1),
};
const withoutAnswer = expect.stringMatching(/^told: The code could not be checked/);

/** All others change nothing for a user. */
const told: Partial<Record<(typeof deviations)[number], object>> = {
	'auth-bearer': {
		...{
			send: credential,
			bulk: inBulk('The service rejected the credential'),
			history: credential,
			balance: credential,
		},
		lost: isInDoubt(0),
	},
	'method-send': { send: notFound, lost: isInDoubt(0) },
	'method-bulk': { bulk: inBulk('The service was not found .*HTTP 405') },
	'method-history': { history: notFound, lost: isInDoubt(1) },
	'method-balance': { balance: notFound },
	'verify-wrong': { wrongCode: withoutAnswer },
	'method-otp-request': { request: notFound, rightCode: 'works, false' },
	'method-otp-verify': { wrongCode: withoutAnswer, rightCode: withoutAnswer },
	'method-query': { byQuery: notFound },
	'token-in-query': {
		...{ byQuery: credential, request: credential },
		...{ wrongCode: withoutAnswer, rightCode: withoutAnswer },
	},
	'send-by-query': { byQuery: expect.stringMatching(/^told: The credential lacks permission/) },
	'verify-right': { rightCode: withoutAnswer },
	...{ 'flag-test': flagRejected, 'flag-unicode': flagRejected, 'flag-encrypt': flagRejected },
	'reference-in-history': { lost: isInDoubt(1) },
	envelope: { ...unreadSends, balance: unread, request: unread, rightCode: 'works, false' },
	'envelope:list': unreadSends,
	'history-pages': {
		history: 'told: The response of the service could not be used',
		lost: isInDoubt(1),
	},
	// The one that nothing here can tell: safe retries rest on it (docs/service.md, Assumptions).
	'listing-time': { lost: 'works, 2' },
};

test('a service as assumed: everything works', async () => {
	expect(await useAll()).toEqual(working);
});

test.each(deviations)('%s: works, or the user is told', async (id) => {
	sandbox.configure({ deviate: [id] });
	expect(await useAll()).toEqual({ ...working, ...told[id] });
});
