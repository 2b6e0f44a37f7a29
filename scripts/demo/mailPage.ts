import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMail } from './readMail';
import { startMailbox, type Mailbox } from './startMailbox';

export interface MailPage {
	/** Where n8n hands mails over, on 127.0.0.1. */
	smtpPort: number;
	/** Such as `http://localhost:4011`. */
	url: string;
	close(): Promise<void>;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign]);

const style = `
	:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
	body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
	article { border: 1px solid #8886; border-radius: 8px; padding: 1rem; margin: 1rem 0 }
	h2 { font-size: 1.1rem; margin: 0 }
	p { margin: .25rem 0; opacity: .75 }
	pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .75rem 0 0 }`;

function renderMail(source: string): string {
	const { from, to, date, subject, text } = readMail(source);
	return `<article><h2>${escapeHtml(subject || '(no subject)')}</h2>
	<p>From ${escapeHtml(from)} to ${escapeHtml(to)}, ${escapeHtml(date)}</p>
	<pre>${escapeHtml(text)}</pre></article>`;
}

function renderPage({ mails }: Mailbox): string {
	const shown = [...mails].reverse().map(renderMail).join('\n');
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mails</title>
	<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
	<style>${style}</style></head><body><h1>Mails</h1>
	<p>What the workflows write by e-mail ends here: nothing leaves this computer. Newest first, the last 100.</p>
	${shown || '<p>There are none yet.</p>'}</body></html>`;
}

const headers = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
	'X-Frame-Options': 'DENY',
	'Cache-Control': 'no-store',
};

/** Another name for this computer, as a page elsewhere could make one, is not to read the mails. */
function isFromHere({ headers: { host } }: IncomingMessage): boolean {
	return /^(localhost|127\.0\.0\.1)(:\d+)?$/i.test(host ?? '');
}

/** A mail server of the demo's own, and a page that shows what came in. */
export async function startMailPage(port: number): Promise<MailPage> {
	const mailbox = await startMailbox();
	const server = createServer((request, response) => {
		const isAllowed = isFromHere(request);
		response.writeHead(isAllowed ? 200 : 403, headers);
		response.end(isAllowed ? renderPage(mailbox) : 'Only for this computer.');
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		smtpPort: mailbox.port,
		url: `http://localhost:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await mailbox.close();
		},
	};
}
