import type { StoredMessage } from '../../entities';
import { flag, number, objectOf, orNull, text, WrongValue } from '../../shape';
import { done, saysDone } from '../done';
import type { MailDraft } from '../../mails';
import { type Route, route } from '../route';

const nullableText = orNull(text());
const seedMessage = objectOf<Partial<StoredMessage>>(
	{
		messageId: text(),
		message: text(),
		to: text(),
		from: text(),
		network: text(),
		type: text(),
		status: text(),
		createdAt: text(),
		clientReference: nullableText,
		scheduledAt: nullableText,
		finishedAt: nullableText,
		messageCount: number({ min: 1, isWhole: true }),
		test: flag(),
		createdAtMs: number(),
		listedFromMs: number(),
	} as never,
	[],
);

interface Seed {
	count: number;
	message?: Partial<StoredMessage>;
}
const seed = objectOf<Seed>(
	{ count: number({ min: 0, max: 1_000_000, isWhole: true }), message: seedMessage },
	['count'],
);
const filled = text('a text that is not empty', (value) => value !== '');
const mailDraft = objectOf<MailDraft>({ from: text(), to: filled, subject: text(), text: text() }, [
	'from',
	'to',
	'subject',
	'text',
]);

/** What is done with messages, codes and mails. */
export const messageRoutes: Route[] = [
	route<object, { status: string }>({
		method: 'POST',
		path: '/messages/{id}/status',
		about: 'Moves a message by hand and posts its receipt.',
		body: objectOf({ status: filled }, ['status']),
		answers: saysDone,
		schema: 'Done',
		run: async (controls, { id, body }) => {
			await controls.setStatus(id, body.status);
			return done;
		},
	}),
	route({
		method: 'POST',
		path: '/messages/{id}/receipt',
		about: "Posts the receipt of a message's present status once more.",
		answers: saysDone,
		schema: 'Done',
		run: async (controls, { id }) => {
			await controls.repeatReceipt(id);
			return done;
		},
	}),
	route({
		method: 'POST',
		path: '/codes/{id}/expire',
		about: 'Lets the code of a request expire now.',
		answers: saysDone,
		schema: 'Done',
		run: (controls, { id }) => {
			controls.expireCode(id);
			return done;
		},
	}),
	route<object, Seed>({
		method: 'POST',
		path: '/seed',
		about: 'Fills history with delivered messages, a second apart; `message` is laid over each.',
		body: seed,
		answers: saysDone,
		schema: 'Done',
		status: 201,
		run: async (controls, { body }) => {
			await controls.inTurns.seedMessages(body.count, () => body.message ?? {});
			return done;
		},
	}),
	route<object, { message: string; encryptKey: string }>({
		method: 'POST',
		path: '/decrypt',
		about: 'The text of an encrypted message.',
		body: objectOf({ message: text(), encryptKey: text() }, ['message', 'encryptKey']),
		answers: '`{"message": "..."}`',
		schema: 'Text',
		run: async (controls, { body: { message, encryptKey } }) => ({
			message: await controls.decrypt(message, encryptKey).catch(() => {
				throw new WrongValue('The message cannot be decrypted with this encryptKey.');
			}),
		}),
	}),

	route<object, MailDraft>({
		method: 'POST',
		path: '/mails',
		about: 'Hands in a mail, as a mail server does that passes nothing on.',
		body: mailDraft,
		answers: 'The mail.',
		schema: 'Mail',
		status: 201,
		run: (controls, { body }) => controls.addMail(body),
	}),
];
