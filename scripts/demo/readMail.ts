/** What a person reads of a mail. */
export interface ReadableMail {
	from: string;
	to: string;
	date: string;
	subject: string;
	text: string;
}

interface Part {
	headers: Map<string, string>;
	body: string;
}

/** Headers can go on in the next line, which then begins with a space. */
function splitPart(source: string): Part {
	const [head, ...rest] = source.replace(/^\r?\n/, '').split(/\r?\n\r?\n/);
	const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
	const headers = lines.map((line): [string, string] => {
		const [name, ...value] = line.split(':');
		return [name.trim().toLowerCase(), value.join(':').trim()];
	});
	return { headers: new Map(headers), body: rest.join('\n\n') };
}

function readQuotedPrintable(text: string): Buffer {
	const bytes = text
		.replace(/[ \t]+$/gm, '')
		.replace(/=\r?\n/g, '')
		.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1');
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`; the space between two of them belongs to neither. */
function readWords(header: string): string {
	const word = /=\?utf-8\?([qb])\?([^?]*)\?=/gi;
	return header.replace(/\?=\s+=\?/g, '?==?').replace(word, (_, kind: string, coded: string) => {
		const bytes =
			kind.toLowerCase() === 'b'
				? Buffer.from(coded, 'base64')
				: readQuotedPrintable(coded.replaceAll('_', ' '));
		return bytes.toString('utf8');
	});
}

function readBody({ headers, body }: Part): string {
	const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	return encoding === 'quoted-printable' ? readQuotedPrintable(body).toString('utf8') : body;
}

/** The plain text of a mail; what it has instead when it has none, such as HTML as it was written. */
function findText(part: Part): string {
	const [, boundary] =
		/^multipart\/.*boundary="?([^";]+)/i.exec(part.headers.get('content-type') ?? '') ?? [];
	if (boundary === undefined) return readBody(part);
	const parts = part.body.split(`--${boundary}`).slice(1, -1).map(splitPart);
	const typeOf = ({ headers }: Part) => headers.get('content-type') ?? 'text/plain';
	const [first] = parts;
	const best = parts.find((one) => /^(text\/plain|multipart\/)/i.test(typeOf(one))) ?? first;
	return best ? findText(best) : '';
}

/** Reads a mail as n8n's Send Email node writes them: UTF-8, with or without HTML beside the text. */
export function readMail(source: string): ReadableMail {
	const mail = splitPart(source);
	const header = (name: string) => readWords(mail.headers.get(name) ?? '');
	return {
		from: header('from'),
		to: header('to'),
		date: header('date'),
		subject: header('subject'),
		text: findText(mail).trim(),
	};
}
