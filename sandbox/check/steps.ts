import { formatDateTime } from '../service/dateTime';
import type { Account } from './Account';

/** A step of the check, in the order of the table. */
export interface Step {
	name: string;
	/** What it does, for the user who is asked whether to. */
	does: string;
	/** Most messages and codes that it can cost. */
	messages?: number;
	codes?: number;
	needs?: 'email' | 'receiptUrl';
	run: (tools: Tools) => Promise<unknown>;
}

export interface Tools {
	account: Account;
	/** Ends early when the check is interrupted. */
	pause: (ms: number) => Promise<void>;
	ask: (question: string) => Promise<string>;
}

const second = 1000;
/** History may be as late as this: after it, the nodes take a message for not accepted. */
const longestLookMs = 180 * second;

const get = (path: string, query?: Record<string, string>) =>
	({ method: 'GET', path, query }) as const;
const post = (path: string, query?: Record<string, string>) =>
	({ method: 'POST', path, query }) as const;
const postJson = (path: string, body: unknown) => ({ method: 'POST', path, body }) as const;

/** Fields of a message to the own number. */
function message({ given, tag }: Account, words: string) {
	return { to: given.number, message: `${tag} ${words}`, from: given.sender };
}

const historyOf = ({ tag }: Account) => get('/rest/messages', { message: tag, limit: '100' });
const digitsOf = (number: string): string => number.replace(/^09/, '959').replace(/^\+/, '');

/** Reads history until the text is listed. */
async function lookFor(words: string, { account, pause }: Tools): Promise<void> {
	const end = account.now() + longestLookMs;
	for (let waitMs = second; ; waitMs = Math.min(waitMs * 1.5, 10 * second)) {
		const found = JSON.stringify(await account.call(`listed ${words}`, historyOf(account)));
		if (found.includes(words) || account.now() >= end) return;
		await pause(waitMs);
	}
}

async function requestCode(name: string, tools: Tools, fields: Record<string, string>) {
	const { account, ask } = tools;
	const query = { brand: account.tag, from: account.given.sender, ...fields };
	const body = await account.call(name, post('/otp/request', query));
	const { requestId } = (body ?? {}) as { requestId?: string | number };
	if (requestId === undefined) return undefined;
	const code = (
		await ask(`The code that you received at ${fields.to} (leave empty if none came): `)
	).trim();
	account.hide(code, 'CODE');
	const verify = (label: string, given?: string) => {
		const parameters = { requestId: String(requestId), ...(given && { code: given }) };
		return account.call(`${name}: ${label}`, post('/otp/verify', parameters));
	};
	return code === '' ? undefined : { code, verify };
}

/** Of the same length, and wrong. */
const spoil = (code: string): string =>
	code.replace(/\d$/, (last) => String((Number(last) + 1) % 10));

const otherMethods = [
	['method-send', postJson('/rest/send', {})],
	['method-bulk', postJson('/rest/send/bulk', {})],
	['method-otp-request', post('/otp/request')],
	['method-otp-verify', post('/otp/verify')],
	['method-query', post('/http/send')],
] as const;

export const steps: Step[] = [
	{
		name: 'account',
		does: 'Reads the balance with each authorization scheme, and with a wrong key.',
		run: async ({ account }) => {
			const read = get('/rest/account/get-balance');
			await account.call('balance', read);
			await account.call('basic', { ...read, authorization: `Basic ${account.token}` });
			await account.call('bearer in lower case', {
				...read,
				authorization: `bearer ${account.token}`,
			});
			await account.call('wrong key', { ...read, token: btoa('wrong:wrong') });
			await account.call('unknown path', get('/rest/nothing-here'));
			await account.call('balance by POST', post('/rest/account/get-balance'));
		},
	},
	{
		name: 'methods',
		does: 'Calls each endpoint without its required fields: nothing can be sent.',
		run: async ({ account }) => {
			for (const [name, call] of otherMethods) {
				await account.call(name, call);
				if (call.method === 'POST' && call.path !== '/rest/send') {
					await account.call(`${name} by GET`, get(call.path));
				}
			}
			const text = { ...postJson('/rest/send', {}), contentType: 'text/plain' };
			await account.call('text instead of JSON', text);
		},
	},
	{
		name: 'history',
		does: 'Reads the newest messages, with each page size, and with wrong filters.',
		run: async ({ account }) => {
			await account.call('history', get('/rest/messages'));
			await account.call('history by POST', post('/rest/messages'));
			for (const limit of ['50', '100', '500', '1000']) {
				await account.call(`page of ${limit}`, get('/rest/messages', { limit }));
			}
			await account.call('page of 7', get('/rest/messages', { limit: '7' }));
		},
	},
	{
		name: 'test',
		does: 'Sends with Test: as the number 1, encrypted, then with true.',
		messages: 3,
		run: async ({ account }) => {
			const before = get('/rest/account/get-balance');
			const send = (name: string, fields: object) =>
				account.call(name, postJson('/rest/send', { ...message(account, name), ...fields }));
			await account.call('before test', before);
			await send('flag-test', { test: 1 });
			await account.call('after test', before);
			await send('flag-encrypt', { test: 1, encrypt: 1 });
			await send('flag-true', { test: true, unicode: true });
		},
	},
	{
		name: 'rejections',
		does: 'Sends to an invalid number, from a sender ID that is not registered, and in bulk to a valid and an invalid number.',
		messages: 2,
		run: async ({ account }) => {
			const good = message(account, 'rejections');
			await account.call('invalid number', postJson('/rest/send', { ...good, to: '09' }));
			const from = `No${account.tag.slice(-6)}`;
			await account.call('unknown sender', postJson('/rest/send', { ...good, from }));
			const messages = [good, { ...good, to: '09' }];
			await account.call('bulk with a bad number', postJson('/rest/send/bulk', { messages }));
		},
	},
	{
		name: 'send',
		does: 'Sends a message to your number, and waits until history lists it.',
		messages: 1,
		run: async (tools) => {
			const { account } = tools;
			const { number, receiptUrl } = account.given;
			const words = `real:  two spaces, "quotes", \u00e9 \u20ac`;
			const body = {
				...{ ...message(account, words), unicode: 1, clientReference: `${account.tag}-ref` },
				...(receiptUrl !== undefined && { deliveryReceiptUrl: receiptUrl }),
			};
			await account.call('send', postJson('/rest/send', body));
			await lookFor('real:', tools);
			const today = formatDateTime(account.now()).slice(0, 10);
			const days = { filterByCreatedDateFrom: today, filterByCreatedDateTo: today };
			const query = { ...days, message: account.tag, to: digitsOf(number) };
			await account.call('history with filters', get('/rest/messages', query));
			await account.call('last page', get('/rest/messages', { limit: '1000', page: '99999' }));
			await account.call(
				'history to 09',
				get('/rest/messages', { to: number.replace(/^\+?959/, '09') }),
			);
		},
	},
	{
		name: 'query',
		does: 'Sends a message with query parameters.',
		messages: 1,
		run: async ({ account }) =>
			account.call('send by query', post('/http/send', message(account, 'by query'))),
	},
	{
		name: 'scheduled',
		does: 'Schedules a message one minute ahead, in GMT+6:30, and waits for it.',
		messages: 1,
		run: async ({ account, pause }) => {
			const scheduledAt = formatDateTime(account.now() + 60 * second);
			const body = { ...message(account, 'scheduled'), scheduledAt };
			await account.call('scheduled', postJson('/rest/send', body));
			await pause(30 * second);
			await account.call('before its time', historyOf(account));
			await pause(90 * second);
			await account.call('after its time', historyOf(account));
		},
	},
	{
		name: 'bulk',
		does: 'Sends two messages in bulk.',
		messages: 2,
		run: async (tools) => {
			const { account } = tools;
			const messages = ['bulk one', 'bulk two'].map((words) => message(account, words));
			await account.call('bulk', postJson('/rest/send/bulk', { messages }));
			await lookFor('bulk two', tools);
		},
	},
	{
		name: 'code',
		does: 'Requests a code by SMS, which you enter. Verifies a wrong code, then yours, then yours again.',
		codes: 1,
		run: async (tools) => {
			const { account } = tools;
			await account.call('code without brand', post('/otp/request', { to: account.given.number }));
			const otp = await requestCode('code by SMS', tools, { to: account.given.number });
			await otp?.verify('without a code');
			await otp?.verify('wrong', spoil(otp.code));
			await otp?.verify('right', otp.code);
			await otp?.verify('again', otp.code);
			await account.call('codes in history', historyOf(account));
		},
	},
	{
		name: 'email',
		does: 'Requests a code by email that is valid for a minute, and verifies it after it has expired.',
		codes: 1,
		needs: 'email',
		run: async (tools) => {
			const { email = '' } = tools.account.given;
			const otp = await requestCode('code by email', tools, { to: email, ttl: '60' });
			if (!otp) return;
			await tools.pause(75 * second);
			await otp.verify('late', otp.code);
		},
	},
	{
		name: 'attempts',
		does: 'Requests a code that allows one wrong attempt, and makes two (needs --codes 3).',
		codes: 1,
		run: async (tools) => {
			const { number: to } = tools.account.given;
			const otp = await requestCode('blocked code', tools, { to, maxInvalidAttempts: '1' });
			await otp?.verify('first', spoil(otp.code));
			await otp?.verify('second', spoil(otp.code));
			await otp?.verify('right', otp.code);
		},
	},
	{
		name: 'receipts',
		does: 'Waits three minutes for the receipts of the sent message; the first gets a 500.',
		needs: 'receiptUrl',
		run: async ({ pause }) => pause(180 * second),
	},
];
