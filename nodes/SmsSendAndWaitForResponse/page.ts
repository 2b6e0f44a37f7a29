import { createHash } from 'node:crypto';

import { directionOf, type PageTexts } from './pageOptions';
import { fieldNames, type Form, longestResponse } from './question';
import { describeSize, withoutCall, type ReviewedCall } from './review';

/** Browsers of old phones support neither CSS variables nor grids. No scripts, images or external addresses. */
const style = `
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:#fff;color:#1a1a1a;font:18px/1.5 system-ui,-apple-system,Roboto,"Noto Sans Myanmar","Myanmar Text",Arial,sans-serif}
main{max-width:560px;margin:0 auto}
h1{margin:0 0 16px;font-size:22px;line-height:1.4}
p,.message{margin:0 0 20px;white-space:pre-wrap;overflow-wrap:break-word;word-wrap:break-word}
.message,.decision{padding:14px 16px;background:#eef1f4;border-radius:10px}
div.message,section{margin:0 0 12px;font-size:16px;line-height:1.4}
div.message{padding:8px 12px}
section{padding:8px 12px;border:1px solid #6b7280;border-radius:10px}
h2{margin:0;font-size:18px}
dl,dd{margin:0}
dt{margin:2px 0 0;font-size:14px;font-weight:600}
dd{overflow:hidden;word-break:break-all}
dd>span,summary{display:block;max-height:9em;overflow-y:auto}
.some dd>span,.some summary{max-height:5em}
.many dd>span,.many summary{max-height:4em}
.many dt{float:left;margin-right:8px;font-size:16px}
small{display:inline-block;font-size:13px;font-weight:400}
summary{cursor:pointer}
summary small{text-decoration:underline}
details[open] bdi{display:none}
.problem{padding:12px 16px;border:2px solid #b00020;border-radius:10px}
label{display:block;margin:0 0 6px}
textarea{display:block;width:100%;min-height:110px;margin:0 0 20px;padding:10px;border:1px solid #6b7280;border-radius:10px;background:#fff;color:inherit;font:inherit}
button{display:block;width:100%;min-height:56px;margin:0 0 14px;padding:12px 16px;border:2px solid #0b57d0;border-radius:10px;background:#0b57d0;color:#fff;font:inherit;font-weight:600;overflow-wrap:break-word;word-wrap:break-word;cursor:pointer}
button[value=decline]{background:#fff;color:#0b57d0}
button:focus,textarea:focus{outline:3px solid #d97706;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#121212;color:#f1f1f1}.message,.decision{background:#26292d}.problem{border-color:#ff8a80}textarea{background:#1c1c1c;border-color:#9aa0a6}button{border-color:#a8c7fa;background:#a8c7fa;color:#062e6f}button[value=decline]{background:#121212;color:#a8c7fa}}
`;

const policy = [
	"default-src 'none'",
	`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
	"form-action 'self'",
	"base-uri 'none'",
];

/** The page must not be cached, indexed or framed, and must not leak its address as a referrer. */
export const pageHeaders = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': [...policy, "frame-ancestors 'none'"].join('; '),
	'Cache-Control': 'no-store',
	'X-Robots-Tag': 'noindex, nofollow',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
};

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}

interface Page {
	languageCode: string;
	heading: string;
}

/** n8n replaces the policy header in responses that it sends itself, so the page contains the policy too. */
function renderPage({ languageCode, heading: text }: Page, body: string): string {
	const heading = escape(text);
	return `<!doctype html>
<html lang="${escape(languageCode)}" dir="${directionOf(languageCode)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1 dir="auto">${heading}</h1>
${body}
</main>
</body>
</html>
`;
}

function renderText(name: string, label: string, isRequired: boolean): string {
	const required = isRequired ? ' required' : '';
	return `<label for="${name}">${escape(label)}</label>
<textarea id="${name}" name="${name}" dir="auto" maxlength="${longestResponse}"${required}></textarea>`;
}

function renderButtons({ buttons }: Form): string {
	const { button: name } = fieldNames;
	return buttons
		.map(
			({ value, label }) =>
				`<button name="${name}" value="${escape(value)}" dir="auto">${escape(label)}</button>`,
		)
		.join('\n');
}

/** So many narrow letters fill a line of a phone. Of the widest ones, two. */
const perLine = 36;

function widthOf(character: string): number {
	if (/[a-ln-vx-z\d .,:;'!()/-]/.test(character)) return 1;
	const isKnown = character < '\ufb00' || /[\p{Emoji_Presentation}\p{Script=Han}]/u.test(character);
	return isKnown ? 2 : perLine / 2;
}

function cut(text: string, lines: number): string {
	let [used, start] = [0, ''];
	for (const character of text) {
		used += character === '\n' ? perLine - (used % perLine) : widthOf(character);
		if (used > lines * perLine) return start;
		start += character;
	}
	return start;
}

/** Text of which so many lines are seen at once, and the rest after a press. */
function renderFolded(text: string, lines: number, label: string): string {
	const start = cut(text, lines);
	if (start === text) return `<span>${escape(text)}</span>`;
	return `<details><summary><bdi>${escape(start)}…</bdi> <small>${escape(label)}</small></summary><span>${escape(text)}</span></details>`;
}

/** All arguments are on the first screen: the more there are, the fewer lines of each. */
const layouts = [
	{ layout: 'few', upTo: 3, lines: 4 },
	{ layout: 'some', upTo: 6, lines: 2 },
	{ layout: 'many', upTo: Infinity, lines: 0.5 },
];

/** Numbered names in markup of their own: no value can look like another argument, or push one away unseen. */
function renderCall({ tool, arguments: all }: ReviewedCall, texts: PageTexts): string {
	const { layout, lines } = layouts.find(({ upTo }) => all.length <= upTo) ?? layouts[2];
	const rows = all.map((one, index) => {
		const value = renderFolded(one.text, lines, `${describeSize(one, texts)}; ${texts.showAll}`);
		return `<dt><small>${index + 1}/${all.length}</small> ${escape(one.name)}</dt>\n<dd dir="auto">${value}</dd>`;
	});
	return `<section>\n<h2>${escape(tool)}</h2>\n<dl class="${layout}">\n${rows.join('\n')}\n</dl>\n</section>`;
}

function renderMessage({ message, call, texts }: Form): string {
	if (!call) return `<p class="message" dir="auto">${escape(message)}</p>`;
	const words = withoutCall(message);
	const size = describeSize({ length: Array.from(words).length, entries: 1 }, texts);
	const shown = renderFolded(words, 3, `${size}; ${texts.showAll}`);
	return `<div class="message" dir="auto">${shown}</div>\n${renderCall(call, texts)}`;
}

/** The question. Only its buttons submit a response. */
export function renderQuestion(form: Form, problem?: string): string {
	const { texts, responseType, asksReason } = form;
	return renderPage(
		{ languageCode: texts.languageCode, heading: texts.title },
		[
			problem ? `<p class="problem" role="alert" dir="auto">${escape(problem)}</p>` : '',
			renderMessage(form),
			'<form method="post">',
			responseType === 'freeText' ? renderText(fieldNames.text, texts.response, true) : '',
			renderButtons(form),
			asksReason ? renderText(fieldNames.reason, texts.reason, false) : '',
			'</form>',
		]
			.filter((part) => part !== '')
			.join('\n'),
	);
}

/** Pages without a question. An error decides nothing, so the question stays open. */
const headingOf = {
	recorded: 'recordedTitle',
	answered: 'closedTitle',
	closed: 'closedTitle',
	failed: 'title',
} as const;

/** The outcome of the question, with the decision if there is one. */
export function renderNotice(
	texts: PageTexts,
	notice: keyof typeof headingOf,
	decision?: string,
	at?: string,
): string {
	const page = { languageCode: texts.languageCode, heading: texts[headingOf[notice]] };
	const lines = [
		`<p role="status" dir="auto">${escape(texts[notice])}</p>`,
		decision ? `<p class="decision" dir="auto">${escape(decision)}</p>` : '',
		at ? `<p dir="ltr">${escape(at)}</p>` : '',
	];
	return renderPage(page, lines.filter((line) => line !== '').join('\n'));
}
