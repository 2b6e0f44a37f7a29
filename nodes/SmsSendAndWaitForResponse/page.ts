import { createHash } from 'node:crypto';

import { choiceOption } from '../shared/options/option';
import { escapeHtml } from '../shared/input/text';

export const english = {
	title: 'Your response is needed',
	approve: 'Approve',
	decline: 'Decline',
	response: 'Your response',
	send: 'Send',
	recordedTitle: 'Response recorded',
	recorded: 'Your response was recorded. You can close this page.',
	/** Shown above the earlier response. */
	answered: 'This question was already answered:',
	closedTitle: 'Question closed',
	closed: 'This question is closed. Nothing was recorded.',
	/** Of an internal error, which decides nothing. */
	failed: 'Something went wrong. Open the link again in a minute.',
	tooLong: 'Nothing was recorded: the text is too long. Use at most 2000 characters.',
	empty: 'Nothing was recorded. Fill in your response, or press one of the buttons.',
};

export const burmese: typeof english = {
	title: 'သင့်အဖြေ လိုအပ်ပါသည်',
	approve: 'အတည်ပြုမည်',
	decline: 'ငြင်းပယ်မည်',
	response: 'သင့်အဖြေ',
	send: 'ပေးပို့မည်',
	recordedTitle: 'အဖြေ လက်ခံရရှိပါပြီ',
	recorded: 'သင့်အဖြေကို လက်ခံရရှိပါပြီ။ ဤစာမျက်နှာကို ပိတ်နိုင်ပါသည်။',
	answered: 'ဤမေးခွန်းကို ဖြေကြားပြီး ဖြစ်ပါသည် -',
	closedTitle: 'မေးခွန်း ပိတ်ထားပါသည်',
	closed: 'ဤမေးခွန်းကို ပိတ်ထားပါသည်။ မည်သည့်အဖြေကိုမျှ လက်မခံပါ။',
	failed: 'တစ်ခုခု မှားယွင်းသွားပါသည်။ တစ်မိနစ်အကြာတွင် လင့်ခ်ကို ထပ်ဖွင့်ပါ။',
	tooLong: 'အဖြေကို လက်ခံမရရှိသေးပါ။ စာ ရှည်လွန်းပါသည်။ စာလုံး ၂၀၀၀ ထက် မပိုရပါ။',
	empty: 'အဖြေကို လက်ခံမရရှိသေးပါ။ အဖြေ ဖြည့်ပြီး ခလုတ်ကို ထပ်နှိပ်ပါ။',
};

export const pageTexts = { en: english, my: burmese };
export type Language = keyof typeof pageTexts;

export type ResponseType = 'approval' | 'freeText' | 'choice';

export interface Form {
	responseType: ResponseType;
	message: string;
	buttons: Array<{ value: string; label: string }>;
	language: Language;
}

/** For typed text, in UTF-16 units. */
export const longestResponse = 2000;

export const fieldNames = { button: 'response', text: 'text' };

export const pageLanguage = choiceOption<Language>({
	displayName: 'Page Language',
	name: 'pageLanguage',
	type: 'options',
	options: [
		{ name: 'Burmese', value: 'my' },
		{ name: 'English', value: 'en' },
	],
	default: 'en',
	description: 'Language of everything on the page except your message',
});

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

/** n8n replaces the policy header in responses that it sends itself, so the page contains the policy too. */
function renderPage(language: Language, title: string, body: string): string {
	const heading = escapeHtml(title);
	return `<!doctype html>
<html lang="${language}">
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
	return `<label for="${name}">${escapeHtml(label)}</label>
<textarea id="${name}" name="${name}" dir="auto" maxlength="${longestResponse}" required></textarea>`;
}

function renderButton({ value, label }: Form['buttons'][number]): string {
	return `<button name="${fieldNames.button}" value="${escapeHtml(value)}" dir="auto">${escapeHtml(label)}</button>`;
}

/** The question. Only its buttons submit a response. */
export function renderQuestion(form: Form, problem?: string): string {
	const { language, responseType } = form;
	const texts = pageTexts[language];
	return renderPage(
		language,
		texts.title,
		[
			problem ? `<p class="problem" role="alert" dir="auto">${escapeHtml(problem)}</p>` : '',
			`<p class="message" dir="auto">${escapeHtml(form.message)}</p>`,
			'<form method="post">',
			responseType === 'freeText' ? renderText(fieldNames.text, texts.response) : '',
			...form.buttons.map(renderButton),
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
	language: Language,
	notice: keyof typeof headingOf,
	decision?: string,
): string {
	const texts = pageTexts[language];
	const lines = [
		`<p role="status" dir="auto">${escapeHtml(texts[notice])}</p>`,
		decision ? `<p class="decision" dir="auto">${escapeHtml(decision)}</p>` : '',
	];
	return renderPage(
		language,
		texts[headingOf[notice]],
		lines.filter((line) => line !== '').join('\n'),
	);
}
