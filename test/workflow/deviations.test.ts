import type { IDataObject } from 'n8n-workflow';

import { deviations, type Deviation } from '../../sandbox/shapes';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runAgainst } from '../support/workflow/runAgainst';
import { inLine } from '../support/workflow/runWorkflow';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { testCredential } from '../support/workflow/testCredential';
import { useSandbox } from '../support/workflow/useSandbox';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

const sandbox = useSandbox({ knownSenders: ['MyShop'], methods: 'any' });
const n8n = useWaitingN8n();
shortenWaits();

type Told = { message: string; description?: string | null } | undefined;
const tell = (error: Told): string =>
	error === undefined ? 'works' : `told: ${error.message} | ${error.description ?? ''}`;

/** Whether the code was verified; the items of OTP Verify are those of its first output with any. */
const describeCheck = ({ told: words, outputs }: { told: string; outputs: object[][] }): string =>
	words === 'works' ? `works, ${outputs[0]?.length === 0}` : words;

/** What a user can change when an error says so. */
interface Switches {
	credentials?: IDataObject;
	options?: IDataObject;
}

/** What each node does: works, or the error that the user reads. */
async function useAll({ credentials, options: own }: Switches = {}): Promise<
	Record<string, string>
> {
	const run = async (
		type: Parameters<typeof runAgainst>[1],
		parameters: IDataObject = {},
		items: IDataObject[] = [{}],
	) => {
		const { error, json, outputs } = await runAgainst(sandbox, type)(parameters, {
			items,
			credentials,
		});
		return { told: tell(error), json, outputs };
	};
	const wait = async (type: 'SmsSendAndWait' | 'SmsSendAndWaitForResponse', more: IDataObject) => {
		const parameters = { message: 'Hi', from: 'MyShop', to: '09779123498', options: own, ...more };
		const { executionId, run: ended } = await n8n.run(inLine({ type, parameters }), {
			credentials: credentialsOf(sandbox, credentials),
		});
		const told = tell(ended.data.resultData.error as Told);
		return told === 'works' ? `works, ${n8n.statusOf(executionId)}` : told;
	};
	const test = await testCredential(credentialsOf(sandbox, credentials));
	const options = { test: true, unicode: true, encrypt: true, clientReference: 'a', ...own };
	const send = await run('SmsSend', { options });
	const texts = { to: '={{ $json.to }}', message: '={{ $json.text }}' };
	const bulk = await run('SmsBulkSend', texts, [
		{ to: '09779123456', text: 'one' },
		{ to: '09779123457', text: 'two' },
	]);
	const byQuery = await run('SmsSend', { options: { surface: 'http', ...own } });
	const delivered = await wait('SmsSendAndWait', { waitFor: 'anyFinal', timeLimit: 0.001 });
	const asked = await wait('SmsSendAndWaitForResponse', { responseType: 'approval' });
	const history = await run('SmsHistory');
	const balance = await run('SmsBalance');
	const request = await run('OtpRequest', { options: { ttl: 60 } });
	const otp = sandbox.codes().at(-1);
	const { requestId = '184512007' } = (request.json[0] ?? {}) as { requestId?: string };
	const wrong = await run('OtpVerify', { requestId, code: otp?.code === '1111' ? '2222' : '1111' });
	const right = await run('OtpVerify', { requestId, code: otp?.code ?? '0000' });
	const path = own?.surface === 'http' ? '/http/send' : '/rest/send';
	sandbox.addFault({ match: { path }, when: 'after', count: 1, effect: 'cut' });
	const lost = await run('SmsSend', {
		...{ to: '09779123499', message: 'two  spaces' },
		...(own && { options: own }),
	});
	const copies = sandbox.messages().filter(({ to }) => to === '959779123499').length;
	const inBulk = sandbox.messages().filter(({ sentBy }) => sentBy === '/rest/send/bulk').length;
	sandbox.addFault({ match: { path: '/rest/send/bulk' }, when: 'after', count: 1, effect: 'cut' });
	await run('SmsBulkSend', { ...texts, options: own }, [
		{ to: '09779123495', text: 'Lost  one' },
		{ to: '09779123496', text: 'Lost  two' },
	]);
	const ofLost = (number: string) => sandbox.messages().filter(({ to }) => to === number).length;
	const mostCopies = Math.max(ofLost('959779123495'), ofLost('959779123496'));
	return {
		lostInBulk: mostCopies > 1 ? `sent ${mostCopies} times` : 'sent once at most',
		credentialTest: test.status === 'OK' ? 'works' : `told: ${test.message}`,
		...{ send: send.told, bulk: `${bulk.told}, ${inBulk}`, byQuery: byQuery.told },
		...{ history: history.told, balance: balance.told, request: request.told },
		...{ delivered, asked },
		wrongCode: describeCheck(wrong),
		rightCode: describeCheck(right),
		lost: `${lost.told}, ${copies}`,
	};
}

const working = {
	lostInBulk: 'sent once at most',
	...{ credentialTest: 'works', send: 'works', bulk: 'works, 2', byQuery: 'works' },
	...{ history: 'works', balance: 'works', request: 'works' },
	...{ delivered: 'works, finished', asked: 'works, waiting' },
	...{ wrongCode: 'works, false', rightCode: 'works, true', lost: 'works, 1' },
};
const says = (words: string) => expect.stringMatching(new RegExp(`^told: ${words}`));
const isInDoubt = (copies: number) =>
	expect.stringMatching(new RegExp(`^told: Outcome unknown: .*, ${copies}$`));
const ofEachSend = (words: string) => {
	const told = says(words);
	return { send: told, delivered: told, asked: told };
};
const scheme = 'The service rejected the credential.*change Authorization Scheme in the credential';
const withoutAnswer = says('The code could not be checked');

interface Outcome {
	/** Where it does not work: what the user reads. */
	told: Partial<Record<keyof typeof working, unknown>>;
	/** What the errors name, and what works then. */
	switches?: Switches;
	/** What still does not work. */
	left?: Outcome['told'];
}

const numbers = 'Rejected by the service: .*in the credential, set Flags to "Always, as 0 or 1"';
const booleans =
	'Rejected by the service: .*In the credential, set Flags to "Always, as True or False"';
const asBooleans = { credentials: { flags: 'booleans' } };
const flagRejected: Outcome = { told: { send: says(booleans) }, switches: asBooleans };

/** All others change nothing for a user. */
const outcomes: Partial<Record<Deviation, Outcome>> = {
	'auth-bearer': {
		told: {
			...ofEachSend(scheme),
			...{ credentialTest: says(scheme), history: says(scheme), balance: says(scheme) },
			...{ bulk: says(`${scheme}.*, 0$`), lost: isInDoubt(0) },
		},
		switches: { credentials: { authorizationScheme: 'Basic' } },
	},
	'method-send': {
		told: { ...ofEachSend('.*HTTP 405.*Request Format.*Query Parameters'), lost: isInDoubt(0) },
		switches: { options: { surface: 'http' } },
	},
	'method-bulk': { told: { bulk: says('.*HTTP 405.*Use SMS Send') } },
	'verify-wrong': { told: { wrongCode: withoutAnswer } },
	'verify-wrong:status': { told: { wrongCode: withoutAnswer } },
	'token-in-query': {
		told: {
			...{ byQuery: says('The service rejected the credential') },
			...{ request: says('The service rejected the credential') },
			...{ wrongCode: withoutAnswer, rightCode: withoutAnswer },
		},
	},
	'send-by-query': {
		told: { byQuery: says('The credential lacks permission.*Request Format.*JSON Request') },
		switches: { options: { surface: 'rest' } },
	},
	'verify-right': { told: { rightCode: withoutAnswer } },
	...{ 'flag-test': flagRejected, 'flag-unicode': flagRejected, 'flag-encrypt': flagRejected },
	'flags-numbers': {
		told: {
			...ofEachSend(numbers),
			...{ send: 'works', byQuery: says(numbers), bulk: says(`${numbers}.*, 0$`) },
			lost: isInDoubt(0),
		},
		switches: { credentials: { flags: 'numbers' } },
	},
	'flags-booleans': {
		told: {
			...ofEachSend(booleans),
			...{ byQuery: says(booleans), bulk: says(`${booleans}.*, 0$`) },
			lost: isInDoubt(0),
		},
		switches: asBooleans,
	},
	'reference-in-history': { told: { lost: isInDoubt(1) } },
	'history-pages': {
		told: { history: says('The response of the service could not be used'), lost: isInDoubt(1) },
	},
	// The one that nothing here can tell: safe retries rest on it (sandbox/SERVICE.md, Assumptions).
	'listing-time': {
		told: { lost: 'works, 2', lostInBulk: 'sent 2 times' },
		switches: { options: { whenOutcomeUnknown: 'report' } },
		left: { lost: isInDoubt(1) },
	},
};

test('a service as assumed: everything works', async () => {
	expect(await useAll()).toEqual(working);
});

test.each(deviations)('%s: works, or the user is told', async (id) => {
	sandbox.configure({ deviate: [id] });
	expect(await useAll()).toEqual({ ...working, ...outcomes[id]?.told });
});

test.each(Object.entries(outcomes).filter(([, { switches }]) => switches))(
	'%s: the switch that the error names helps',
	async (id, { switches, left }) => {
		sandbox.configure({ deviate: [id as Deviation] });
		expect(await useAll(switches)).toEqual({ ...working, ...left });
	},
);
