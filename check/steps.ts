import { isReceipt } from './receive';
import {
	ahead,
	compareTexts,
	describe,
	fieldsOf,
	formatTime,
	isConfirmed,
	isSuccess,
	isTaken,
	mask,
	recordsOf,
	showTime,
	tellsNothing,
} from './reply';
import type { Flag } from './Service';
import {
	second,
	longText,
	balancePath,
	message,
	inDigits,
	idOf,
	isMethodTaken,
	not,
	findMethod,
	judgeEnvelope,
	has,
	lookFor,
	findNumber,
	requestCode,
	spoil,
	timeForms,
	nameZone,
	findScheme,
	findFlags,
	useBooleans,
	type Tools,
} from './tools';

/** A step of the check: the table below is all of it. */
export interface Step {
	name: string;
	/** For the user who is asked whether to run it. */
	does: string;
	/** Most messages and codes that it can cost. */
	messages?: number;
	codes?: number;
	needs?: 'email' | 'receiptUrl';
	/** A line each: ID | what is assumed (empty: SUPPORTED.md says it) | what a user meets if it is wrong. */
	rows: string;
	run: (tools: Tools) => Promise<unknown>;
}

export const steps: Step[] = [
	{
		name: 'account',
		does: 'Reads the balance, also with a wrong key, and a path that does not exist.',
		rows: `
auth-bearer | REST uses \`Authorization: Bearer\`. | Set Authorization Scheme in the credential to Basic.
method-balance | Balance uses GET, without a Content-Type. | SMS Balance and the credential test make one more request.
envelope | Responses have their fields at the top: \`balance\`, \`messages\`. | The nodes also read \`data\`, one record, and records by key. In any other form, each message is reported as "Outcome unknown".
wrong-key | A wrong key is a 401, "Your request was made with invalid credentials." | The credential test names a wrong cause.
unknown-path | | A wrong Base URL is not recognized.`,
		run: async (tools) => {
			const { service, find } = tools;
			const balance = await findScheme(tools);
			const isKnown = isSuccess(balance) || undefined;
			findMethod(tools, 'method-balance', balancePath, balance);
			judgeEnvelope(tools, balance, 'balance');
			const wrong = await service.get(balancePath, {}, 'wrong:wrong');
			const isTold = /invalid credentials/.test(String(fieldsOf(wrong).message));
			const isToldSo = isKnown && wrong.status < 500 ? wrong.status === 401 && isTold : undefined;
			find('wrong-key', isToldSo, `status ${wrong.status}`);
			const unknown = await service.get('/rest/nothing-here');
			find('unknown-path', isKnown ? unknown.status === 404 : undefined, describe(unknown));
		},
	},
	{
		name: 'methods',
		does: 'Calls each endpoint without its required fields: nothing can be sent.',
		rows: `
method-send | Send uses POST. | Set Request Format to Query Parameters.
method-bulk | Bulk send uses POST. | SMS Bulk Send fails: use SMS Send.
method-otp-request | Requesting a code uses POST. | OTP Request uses GET, which proxies may repeat.
method-otp-verify | Verifying a code uses POST. | OTP Verify uses GET, which proxies may repeat.
method-query | Sending by query parameters uses POST. | Leave Request Format at JSON Request: proxies may repeat a GET.
token-in-query | The token is percent-encoded in a query. | Codes and sending by query parameters get 401.`,
		run: async (tools) => {
			const { service, find } = tools;
			for (const [id, path] of Object.entries({
				'method-send': '/rest/send',
				'method-bulk': '/rest/send/bulk',
				'method-otp-request': '/otp/request',
				'method-otp-verify': '/otp/verify',
				'method-query': '/http/send',
			})) {
				const isRest = path.startsWith('/rest');
				const reply = await (isRest ? service.json(path, {}) : service.post(path));
				findMethod(tools, id, path, reply);
				if (isRest || isMethodTaken(reply) === false || reply.status >= 500) continue;
				find('token-in-query', reply.status !== 401, `status ${reply.status}`);
			}
		},
	},
	{
		name: 'history',
		does: 'Reads the newest messages with each page size, and with a filter that matches nothing.',
		rows: `
method-history | History uses GET. | The nodes use POST, after one more request.
page-sizes | A page has as many records as asked for: 20, 50, 100, 500 or 1,000. | Long histories take more requests, or cannot be read.
history-pages | Pages count from 1, and list each record once. | History cannot be read: lost sends are reported as "Outcome unknown".
history-filters | | SMS History and lookups get records of others, or miss those of the last day.`,
		run: async (tools) => {
			const { service, find, judge } = tools;
			const newest = await service.get('/rest/messages');
			findMethod(tools, 'method-history', '/rest/messages', newest);
			judgeEnvelope(tools, newest, 'messages', 'history');
			const total = Number(fieldsOf(newest).records);
			const none = await service.get('/rest/messages', { message: `${service.tag} nobody` });
			const found = total > 0 ? recordsOf(none)?.length : undefined;
			const isNone = found === undefined ? undefined : found === 0;
			const ignored = `${found} records match a text that nobody sent`;
			judge('history-filters', none, isNone, ignored, 'history-filters:ignored');
			for (const limit of [20, 50, 100, 500, 1000]) {
				const page = await service.get('/rest/messages', { limit: String(limit), page: '1' });
				const records = recordsOf(page);
				if (!records) continue;
				const { start = 0, limit: shown } = fieldsOf(page);
				const ids = records.flatMap(({ messageId }) => messageId ?? []);
				const again = ids.length - new Set(ids).size;
				const isFirst = Number(start) === 0 && (records.length > 0 || total === 0);
				const words = `page 1 begins with record ${Number(start)}, ${again} records come again`;
				const repeated = again > 0 ? 'history-pages:repeated' : undefined;
				find('history-pages', isFirst && again === 0, words, repeated);
				const isFull = Number(shown) === limit && records.length >= Math.min(limit, total);
				if (!isFirst) continue;
				const claimed = Number(shown) === limit ? 'page-sizes:claimed' : undefined;
				const ofLimit = `${records.length} of ${limit}, limit ${Number(shown)}`;
				find('page-sizes', shown === undefined ? undefined : isFull, ofLimit, claimed);
			}
		},
	},
	{
		name: 'test',
		does: 'Sends with Test: plainly, encrypted, as unicode, and to your number with a plus.',
		messages: 4,
		rows: `
flags-numbers | Flags that are off can be left out. | Set Flags in the credential to Always, as 0 or 1.
flags-booleans | Flags need not be booleans. | Set Flags in the credential to Always, as true or false.
flag-test | test is accepted as the number 1. | Messages with the option Test are rejected: set Flags in the credential.
test-free | | Messages with the option Test cost money.
flag-encrypt | encrypt is accepted as the number 1. | Messages with the option Encrypt are rejected: set Flags in the credential.
flag-unicode | unicode is accepted as the number 1. | Messages with the option Unicode are rejected: set Flags in the credential.
number-plus | A number in JSON may begin with a plus. | Messages to numbers abroad are rejected.`,
		run: async (tools) => {
			const { service, find, judge } = tools;
			const send = (on: Flag[], fields: object = {}) =>
				service.send({ ...message(service, 'with Test'), ...fields }, ['test', ...on]);
			const before = fieldsOf(await service.get(balancePath)).balance;
			if (!(await findFlags(tools, async () => await send([])))) return;
			const after = fieldsOf(await service.get(balancePath)).balance;
			if (typeof before === 'number' && typeof after === 'number') {
				service.isTestFree = after === before;
				find('test-free', after === before, `the balance changed by ${after - before}`);
			}
			const isNumber = service.flags !== 'booleans';
			const refused: Flag[] = [];
			for (const name of ['encrypt', 'unicode'] as const) {
				const reply = await send([name]);
				judge(`flag-${name}`, reply, isTaken(reply) && isNumber);
				if (isTaken(reply) === false) refused.push(name);
			}
			if (refused.length > 0) await useBooleans(tools, async () => await send(refused));
			const reply = await send([], { to: `+${inDigits(service)}` });
			judge('number-plus', reply, isTaken(reply));
		},
	},
	{
		name: 'rejections',
		does: 'Sends to an invalid number, from a sender ID that is not registered, and in bulk to a valid and an invalid number.',
		messages: 2,
		rows: `
error-status | Errors have a 4xx, except rejected records. | An error could be read as a success; the nodes also read the status in the body.
sender-unregistered | | A typo in the sender ID costs a message.
bulk-all-or-none | | Good messages of a bulk request are sent beside bad ones.`,
		run: async ({ service, judge }) => {
			const good = message(service, 'rejections');
			const bad = { ...good, to: '09' };
			const invalid = await service.send(bad);
			const isRejected = recordsOf(invalid)?.[0]?.status === false;
			judge('error-status', invalid, !isSuccess(invalid) || isRejected);
			const from = `No${service.tag.slice(-6)}`;
			const unknown = await service.send({ ...good, from });
			judge('sender-unregistered', unknown, not(isTaken(unknown)));
			const both = await service.sendBulk([good, bad]);
			judge('bulk-all-or-none', both, not(isTaken(both)));
		},
	},
	{
		name: 'send',
		does: 'Sends a message to your number, and waits until history lists it (at most three minutes).',
		messages: 1,
		rows: `
number-form | | Records of one request are told apart by text and position only.
time-form | Times are YYYY-MM-DD HH:MM:SS. | Times are passed on as they are; a lost message may be reported as "Outcome unknown".
zone-created | | Times are shown wrong, and retries search the wrong hours: correct Service Time Zone in the credential.
listing-time | A message is listed within a minute. | A message that is listed late can be sent twice. Choose Report in When the Outcome Is Unknown: then nothing in doubt is resent.
reference-in-history | History has the reference. | Retries recognize messages by number, text and time only.
history-text | History has the text as it was sent. | Retries of messages without a reference can't recognize them.
history-number | History has whole numbers, as digits from 95. | Only the reference tells a message from others.
history-sender | History has the sender ID as it was sent. | Filters by sender ID find nothing.`,
		run: async (tools) => {
			const { service, find, judge, fillIn } = tools;
			const { receiptUrl, sender } = service.given;
			const clientReference = `${service.tag}-ref`;
			const receipts = receiptUrl !== undefined && { deliveryReceiptUrl: receiptUrl };
			const body = { ...message(service, longText), clientReference, ...receipts };
			const sent = await service.send(body);
			judgeEnvelope(tools, sent, 'messages', 'send');
			if (!isTaken(sent)) return;
			const { createdAt } = recordsOf(sent)?.[0] ?? {};
			findNumber(tools, 'number-form', recordsOf(sent));
			const form = showTime(createdAt);
			const [, as = null] = timeForms.find(([known]) => known.test(form)) ?? [];
			find('time-form', form === '9999-99-99 99:99:99', form, as);
			const minutes = Math.round(ahead(createdAt, sent.date ? Date.parse(sent.date) : sent.at));
			const isNear = Number.isNaN(minutes) ? undefined : Math.abs(minutes) < 15;
			const isUtc = Math.abs(minutes + 390) < 15;
			const ofZone = `read in GMT+6:30, ${minutes} minutes ahead`;
			find('zone-created', isNear, ofZone, isUtc ? undefined : null);
			if (isNear === false) fillIn('Service Time Zone', nameZone(390 + minutes));
			const { record, seconds, reply } = await lookFor(sent, 'real:', tools);
			if (!recordsOf(reply)) return;
			const words = `${record ? 'listed after' : 'not listed for'} ${seconds} seconds`;
			find('listing-time', record !== undefined && seconds <= 60, words);
			if (!record) return;
			const { clientReference: reference, message: text, from } = record;
			const isReference = reference === clientReference;
			find('reference-in-history', isReference, reference ? 'there is one' : 'none');
			const [shown, inSandbox] = compareTexts(body.message, String(text));
			find('history-text', text === body.message, shown, inSandbox);
			findNumber(tools, 'history-number', [record]);
			find('history-sender', from === sender, from === sender ? 'the same' : 'another');
			const day = formatTime(service.now()).slice(0, 10);
			const ofDay = { filterByCreatedDateFrom: day, filterByCreatedDateTo: day };
			const filtered = await service.get('/rest/messages', ofDay);
			const found = recordsOf(filtered)?.some(({ messageId }) => messageId === record.messageId);
			judge('history-filters', filtered, found, 'the message is not in the history of its day');
		},
	},
	{
		name: 'query',
		does: 'Sends a message with query parameters.',
		messages: 1,
		rows: `
send-by-query | Sending by query parameters sends. | Leave Request Format at JSON Request.`,
		run: async ({ service, judge }) => {
			const sent = await service.sendByQuery(message(service, 'by query'));
			judge('send-by-query', sent, isTaken(sent));
		},
	},
	{
		name: 'scheduled',
		does: 'Schedules a message one minute ahead, in GMT+6:30, and waits for it.',
		messages: 1,
		rows: `
schedule-zone | | Scheduled messages leave at a wrong time: correct Service Time Zone in the credential.
schedule-listed | History lists a scheduled message before its time. | Skip If Already Sent doesn't find it: schedule each message once.`,
		run: async ({ service, pause, find, fillIn }) => {
			const scheduledAt = formatTime(service.now() + 60 * second);
			const body = { ...message(service, 'scheduled'), scheduledAt };
			const sent = await service.send(body);
			if (!isTaken(sent)) return;
			const look = async (): Promise<unknown> => {
				const query = { message: service.tag, limit: '100' };
				const records = recordsOf(await service.get('/rest/messages', query));
				return records?.find(({ messageId }) => messageId === idOf(sent))?.status;
			};
			await pause(30 * second);
			const before = await look();
			await pause(90 * second);
			const after = await look();
			if (after === undefined) return;
			const isSent = after !== 'Accepted' && [undefined, 'Accepted'].includes(before as string);
			const was = before === undefined ? 'not listed' : mask(String(before));
			find('schedule-zone', isSent, `${was} before its time, ${mask(String(after))} after it`);
			if (!isSent) fillIn('Service Time Zone', 'another one: ask your provider');
			find('schedule-listed', isSent ? before !== undefined : undefined, `${was} before its time`);
		},
	},
	{
		name: 'bulk',
		does: 'Sends two messages in bulk, with references if the service accepts them.',
		messages: 2,
		rows: `
history-newest-first | | Lookups of retries read all pages, or end in "Outcome unknown".
bulk-reference | Bulk messages have no reference. | Please tell us: a lost bulk request could then be recognized for certain.`,
		run: async (tools) => {
			const { service, find } = tools;
			const messages = ['bulk one', 'bulk two'].map((words) => message(service, words));
			const named = messages.map((one, n) => ({ ...one, clientReference: `${service.tag}-${n}` }));
			const first = await service.sendBulk(named);
			// A 4xx sent nothing.
			const isRejected = first.status >= 400 && first.status !== 408 && !tellsNothing(first);
			const sent = isRejected ? await service.sendBulk(messages) : first;
			if (!isTaken(sent)) return;
			findNumber(tools, 'number-form', recordsOf(sent));
			const { reply, record } = await lookFor(sent, 'bulk', tools);
			const reference = String(record?.clientReference ?? '');
			const isOurs = reference.startsWith(service.tag);
			const seen = isOurs ? 'history has it' : reference === '' ? 'none' : "the service's own";
			find('bulk-reference', record && !isOurs, isRejected ? 'rejected' : seen);
			const times = (recordsOf(reply) ?? []).map(({ createdAt }) => String(createdAt));
			const isOrdered = times.join() === [...times].sort().reverse().join();
			if (new Set(times).size < 2) return;
			find('history-newest-first', isOrdered, isOrdered ? 'newest first' : 'another order');
		},
	},
	{
		name: 'code',
		does: 'Requests a code by SMS, which you enter. Verifies five wrong codes, then yours, then yours again.',
		codes: 1,
		rows: `
otp-defaults | | Codes expire at another time, are easier to guess, or are blocked sooner: set Valid For, Code Length and Max Invalid Attempts.
verify-wrong | A wrong code is rejected. | Anyone can sign in: do not use codes of this service.
verify-right | A right code is confirmed with \`request_id\`, \`to\` and \`verifiedAt\`. | Nobody is verified: OTP Verify fails closed.
verify-once | | A code that was seen by others can be used again.
history-no-codes | | Anyone who can read history can read codes.`,
		run: async (tools) => {
			const { service, find, judge } = tools;
			const otp = await requestCode(tools, { to: service.given.number });
			if (!otp) return;
			const { own, verify } = otp;
			const { createdAt, expireAt } = fieldsOf(otp.reply);
			const seconds = (Date.parse(String(expireAt)) - Date.parse(String(createdAt))) / second;
			const isUsual = own.length === 6 && (seconds === 300 || Number.isNaN(seconds));
			const as = own.length === 6 ? undefined : 'otp-defaults:length';
			find('otp-defaults', isUsual, `${own.length} digits, valid for ${seconds} seconds`, as);
			for (const by of [1, 2, 3, 4, 5]) {
				const wrong = await verify(spoil(own, by));
				judge('verify-wrong', wrong, !isConfirmed(wrong));
			}
			const right = await verify(own);
			const words = 'the right code, after five wrong ones';
			judge('otp-defaults', right, isSuccess(right), words, 'otp-defaults:attempts');
			const isWhole = has(right, 'request_id') && has(right, 'to') && has(right, 'verifiedAt');
			judge('verify-right', right, isWhole);
			const again = await verify(own);
			judge('verify-once', again, !isConfirmed(again));
			const newest = await service.get('/rest/messages', { limit: '100' });
			const shown = recordsOf(newest)?.filter((one) => String(one.message).includes(own)).length;
			const found = `${shown} records have the code`;
			judge('history-no-codes', newest, shown === undefined ? undefined : shown === 0, found);
		},
	},
	{
		name: 'email',
		does: 'Requests a code by email that is valid for a minute, and verifies it after it has expired.',
		codes: 1,
		needs: 'email',
		rows: `
verify-expired | An expired code is rejected. | Codes stay valid beyond their time.`,
		run: async (tools) => {
			const { email: to = '' } = tools.service.given;
			const otp = await requestCode(tools, { to, ttl: '60' });
			if (!otp) return;
			await tools.pause(75 * second);
			const late = await otp.verify(otp.own);
			tools.judge('verify-expired', late, !isConfirmed(late));
		},
	},
	{
		name: 'attempts',
		does: 'Requests a code that allows one wrong attempt, and makes two (needs --codes 3).',
		codes: 1,
		rows: `
verify-blocked | | Codes can be guessed, since no number of wrong attempts blocks them: do not use codes of this service.`,
		run: async (tools) => {
			const { number: to } = tools.service.given;
			const otp = await requestCode(tools, { to, maxInvalidAttempts: '1' });
			if (!otp) return;
			for (const by of [1, 2]) await otp.verify(spoil(otp.own, by));
			const right = await otp.verify(otp.own);
			tools.judge('verify-blocked', right, !isConfirmed(right));
		},
	},
	{
		name: 'receipts',
		does: 'Waits three minutes for the receipts of the sent message; the first gets a 500.',
		needs: 'receiptUrl',
		rows: `
receipt-retries | | A receipt is lost while n8n is down.
receipt-statuses | Sent and Delivered have a receipt each. | Waiting for delivery can end late.
receipt-ping | Nothing but receipts calls the receiver. | Receipts come only after a call without one got a 200: look at the executions of the trigger.`,
		run: async ({ pause, received, find }) => {
			await pause(180 * second);
			const receipts = received.filter(isReceipt);
			const pings = received.length - receipts.length;
			if (received.length > 0)
				find('receipt-ping', pings === 0, `${pings} calls without a receipt`);
			if (receipts.length === 0) return;
			const [first, ...others] = receipts.map((one) => `${one.messageId} ${one.status}`);
			const isRepeated = others.some((one) => one === first);
			find('receipt-retries', isRepeated, `${isRepeated ? '' : 'not '}repeated after a 500`);
			const statuses = [...new Set(receipts.map(({ status }) => mask(String(status))))];
			const hasBoth = ['Sent', 'Delivered'].every((one) => statuses.includes(one));
			find('receipt-statuses', hasBoth, statuses.join(', '));
		},
	},
];

/** All rows of the table. */
export const rows = steps.flatMap((step) =>
	step.rows
		.split('\n')
		.slice(1)
		.map((line) => {
			const [id = '', says = '', wrong = ''] = line.split('|').map((cell) => cell.trim());
			return { id, says, wrong, step: step.name };
		}),
);
