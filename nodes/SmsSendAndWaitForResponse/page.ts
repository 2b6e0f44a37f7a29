import { createHash } from 'node:crypto';

import { directionOf, type PageTexts } from './pageOptions';
import { fieldNames, type Form, longestResponse } from './question';

/** Browsers of old phones support neither CSS variables nor grids. No scripts, images or external addresses. */
const style = `
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:#fff;color:#1a1a1a;font:18px/1.5 system-ui,-apple-system,Roboto,"Noto Sans Myanmar","Myanmar Text",Arial,sans-serif}
main{max-width:560px;margin:0 auto}
h1{margin:0 0 16px;font-size:22px;line-height:1.4}
p{margin:0 0 20px;white-space:pre-wrap;overflow-wrap:break-word;word-wrap:break-word}
.message,.decision{padding:14px 16px;background:#eef1f4;border-radius:10px}
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

function renderText(name: string, label: string): string {
	return `<label for="${name}">${escape(label)}</label>
<textarea id="${name}" name="${name}" dir="auto" maxlength="${longestResponse}" required></textarea>`;
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

/** The question. Only its buttons submit a response. */
export function renderQuestion(form: Form, problem?: string): string {
	const { texts, responseType } = form;
	return renderPage(
		{ languageCode: texts.languageCode, heading: texts.title },
		[
			problem ? `<p class="problem" role="alert" dir="auto">${escape(problem)}</p>` : '',
			`<p class="message" dir="auto">${escape(form.message)}</p>`,
			'<form method="post">',
			responseType === 'freeText' ? renderText(fieldNames.text, texts.response) : '',
			renderButtons(form),
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
