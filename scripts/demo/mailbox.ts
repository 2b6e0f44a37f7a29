import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

import { type AddressObject, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { httpClient } from '../http';

/** What a person reads of a mail. */
export interface ReadableMail {
	from: string;
	to: string;
	subject: string;
	/** What the mail has instead when it has no plain text. */
	text: string;
	html?: string;
}

export async function readMail(source: string): Promise<ReadableMail> {
	const { from, to, subject = '', text, html } = await simpleParser(source);
	return {
		from: writeAddresses([from ?? []].flat()),
		to: writeAddresses([to ?? []].flat()),
		subject,
		text: (text || html || '').trim(),
		...(html && { html }),
	};
}

function writeAddresses(objects: AddressObject[]): string {
	const addresses = objects.flatMap(({ value }) => value);
	return addresses
		.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address))
		.join(', ');
}

/** The inbox takes bodies of up to 1 MB, and nobody reads that far. */
const mostSigns = 100_000;

/**
 * Puts mails into the inbox of a sandbox.
 *
 * @param pageUrl such as `http://localhost:4010/_sandbox`
 */
export function showInInbox(pageUrl: string): (mail: string) => Promise<void> {
	return async (mail) => {
		const { from, to, subject, text, html } = await readMail(mail);
		const isLong = text.length > mostSigns;
		const shown = isLong ? `${text.slice(0, mostSigns)}\n(${text.length} characters in all)` : text;
		const shownHtml = html && html.length <= mostSigns ? { html } : {};
		const body = { from, to: to || '(nobody)', subject, text: shown, ...shownHtml };
		await httpClient.post(`${pageUrl}/api/mails`, body);
	};
}

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
			void readText(stream)
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
