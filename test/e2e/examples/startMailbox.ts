import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface Mailbox {
	port: number;
	/** Every mail that came in, as it was sent: headers, an empty line, the text. */
	mails: string[];
	close(): Promise<void>;
}

/** A mail server on loopback that takes everything and passes nothing on. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: string[] = [];
	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData: (stream, _session, done) => {
			void text(stream).then((mail) => {
				mails.push(mail);
				done();
			});
		},
	});
	const server = smtp.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { port, mails, close: async () => await new Promise((resolve) => smtp.close(resolve)) };
}
