import { type AddressObject, simpleParser } from 'mailparser';

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
