import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface Mailbox {
	port: number;
	/** The mails that came in last, oldest first, as they were sent: headers, an empty line, the text. */
	mails: string[];
	close(): Promise<void>;
}

const mostMails = 100;
const mostBytes = 10_000_000;

/**
 * A mail server on loopback that takes everything and lets nothing leave this computer.
 *
 * @param show is given each mail before its sender is told that it was taken, and told so only if that went well
 */
export async function startMailbox(
	show: (mail: string) => Promise<void> = async () => undefined,
): Promise<Mailbox> {
	const mails: string[] = [];
	const take = async (mail: string) => {
		await show(mail);
		mails.push(mail);
		mails.splice(0, mails.length - mostMails);
	};
	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		size: mostBytes,
		onData: (stream, _session, done) => {
			void text(stream)
				.then(async (mail) => {
					if (stream.sizeExceeded) throw new Error('The mail is larger than 10 MB.');
					await take(mail);
				})
				.then(() => done(), done);
		},
	});
	// A client that disconnects in the middle of a mail does not end the mailbox.
	smtp.on('error', () => undefined);
	const server = smtp.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { port, mails, close: async () => await new Promise((resolve) => smtp.close(resolve)) };
}
