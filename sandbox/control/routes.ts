import * as z from 'zod/v4';
import type { MailDraft } from '../entities';
import { faultRule, mailDraft, seedMessage, settingChanges } from '../schemas';
import { filledText, WrongValue } from '../shapes';
import { listRoutes } from './listRoutes';
import { act, get, type Route, route } from './route';

const seed = z.strictObject({
	count: z.int().min(0).max(1_000_000),
	message: seedMessage.optional(),
});
const encrypted = z.strictObject({ message: z.string(), encryptKey: z.string() });

/** All routes of the control API. */
export const routes: Route[] = [
	...listRoutes,
	get(
		'/mark',
		'The mark of the latest message, code or mail: `since` this mark there is nothing yet.',
		'Mark',
		(controls) => ({ mark: controls.mark() }),
	),
	get('/stats', 'Requests and peak in flight, in all and by path.', 'Stats', (controls) =>
		controls.stats(),
	),
	get(
		'/receipts/queue',
		'How receipts keep up: in flight, waiting, dropped, and how late they are.',
		'ReceiptQueue',
		(controls) => controls.receiptQueue(),
	),
	get(
		'/process',
		'Memory and processor time of the process that the sandbox runs in.',
		'Process',
		(controls) => controls.process(),
	),
	get('/balance', 'The balance and its currency.', 'Balance', (controls) => controls.balance()),
	route<object, { amount: number }>({
		...{ method: 'POST', path: '/balance/top-up', about: 'Adds to the balance.' },
		...{ body: z.strictObject({ amount: z.number().min(0) }), schema: 'Balance' },
		run: (controls, { body }) => {
			controls.topUp(body.amount);
			return controls.balance();
		},
	}),
	get('/settings', 'All settings, without secrets.', 'Settings', (controls) => controls.settings()),
	route({
		...{ method: 'PUT', path: '/settings', about: 'Changes settings; what is left out stays.' },
		...{ body: settingChanges, names: 'settings', schema: 'Settings' },
		run: (controls, { body }) => {
			controls.configure(body);
			return controls.settings();
		},
	}),
	get('/faults', 'The fault rules, with how often they were seen and hit.', ['Fault'], (controls) =>
		controls.faults(),
	),
	route({
		...{ method: 'POST', path: '/faults', about: 'Adds a fault rule, or a list of them.' },
		...{ body: z.union([faultRule, z.array(faultRule)]), schema: ['Fault'], status: 201 },
		run: (controls, { body }) => {
			for (const rule of [body].flat()) controls.addFault(rule);
			return controls.faults();
		},
	}),
	route({
		...{ method: 'DELETE', path: '/faults', about: 'Removes all fault rules.', schema: ['Fault'] },
		run: (controls) => {
			controls.clearFaults();
			return controls.faults();
		},
	}),
	act(
		'/messages/{id}/status',
		'Moves a message by hand and posts its receipt.',
		(controls, { id, body }) => controls.setStatus(id, body.status),
		{ body: z.strictObject({ status: filledText }) },
	),
	act(
		'/messages/{id}/receipt',
		"Posts the receipt of a message's present status once more.",
		(controls, { id }) => controls.repeatReceipt(id),
	),
	act('/codes/{id}/expire', 'Lets the code of a request expire now.', (controls, { id }) =>
		controls.expireCode(id),
	),
	act(
		'/seed',
		'Fills history with delivered messages, a second apart; `message` is laid over each.',
		(controls, { body }) => controls.inTurns.seedMessages(body.count, () => body.message ?? {}),
		{ body: seed, status: 201 },
	),
	route<object, z.infer<typeof encrypted>>({
		...{ method: 'POST', path: '/decrypt', about: 'The text of an encrypted message.' },
		...{ body: encrypted, schema: 'Text' },
		run: async (controls, { body: { message, encryptKey } }) => ({
			message: await controls.decrypt(message, encryptKey).catch(() => {
				throw new WrongValue('The message cannot be decrypted with this encryptKey.');
			}),
		}),
	}),
	route<object, MailDraft>({
		about: 'Hands in a mail, as a mail server does that passes nothing on.',
		...{ method: 'POST', path: '/mails', body: mailDraft, schema: 'Mail', status: 201 },
		run: (controls, { body }) => controls.addMail(body),
	}),
	act(
		'/advance',
		"Moves the sandbox's clock, and waits for what becomes due.",
		async (controls, { body }) => {
			await controls.inTurns.advance(body.ms);
			await controls.settle();
		},
		{ body: z.strictObject({ ms: z.number() }) },
	),
	act('/settle', 'Waits until every receipt has been answered or given up.', (controls) =>
		controls.settle(),
	),
	act(
		'/clear',
		'Removes messages, codes, mails, requests and receipts; settings, faults and balance stay.',
		(controls) => controls.clear(),
		{ body: z.strictObject({}).optional() },
	),
	act(
		'/reset',
		'Empties everything, and puts clock, settings and balance back to the start.',
		(controls) => controls.reset(),
		{ body: z.strictObject({}).optional() },
	),
];
