import { html } from 'hono/html';
import type { Html } from './layout';

const link = /https?:\/\/[^\s<>"]{1,500}/g;
const maxLinks = 3;

function renderLink(address: string): Html {
	return html`<a href="${address}" rel="noreferrer" target="_blank">${address}</a>`;
}

/** Makes the first links clickable; a shortened text is followed by them in full. */
export function renderText(text: string, max = Infinity): Html {
	const links = [...text.matchAll(link)].slice(0, maxLinks);
	if (text.length > max)
		return html`<span class="message">${shorten(text, max)}</span> ${links.map(([address]) =>
				renderLink(address),
			)}`;
	const pieces: Array<Html | string> = [];
	let shown = 0;
	for (const { 0: address, index } of links) {
		pieces.push(text.slice(shown, index), renderLink(address));
		shown = index + address.length;
	}
	return html`<span class="message">${pieces}${text.slice(shown)}</span>`;
}

/** Shortens a text and appends its length; never splits a surrogate pair. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) return text;
	const beginning = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	return `${beginning.trimEnd()} ... (${text.length} characters in all)`;
}
