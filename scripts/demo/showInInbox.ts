import { httpClient } from '../http';
import { readMail } from './readMail';

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
