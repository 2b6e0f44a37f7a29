/** Why there is no response, by the code or the words of the error. */
const causes: Array<[RegExp, string]> = [
	[
		/ENOTFOUND|EAI_/,
		'The host HOST is unknown. Correct the Base URL, or the DNS of this computer.',
	],
	[/ECONNREFUSED/, 'Nothing listens on HOST. Correct the host or port of the Base URL.'],
	[
		/CERT|SIGNATURE|ALTNAME|ISSUER/,
		'The certificate of HOST is not trusted (CODE). If it has its own authority, set NODE_EXTRA_CA_CERTS to the file of that authority (PEM).',
	],
	[
		/SSL|TLS|EPROTO/,
		'HOST does not respond with TLS. Begin the Base URL with http, or correct its port.',
	],
	[
		/HPE_|ECONNRESET|EPIPE|UND_ERR_SOCKET/,
		'HOST closed the connection without a response. Begin the Base URL with https if it uses TLS, or correct its port.',
	],
	[
		/Timeout|TIMEDOUT|UND_ERR_.*TIMEOUT/,
		'HOST did not respond in time. Check the Base URL, the network and firewalls.',
	],
	[/EHOST|ENET/, 'HOST cannot be reached. Check the network.'],
];

/** What to do about a request without a response. @param error thrown by fetch */
export function explain({ name, message, cause }: Error, { host }: URL): string {
	const { code = name, message: why = message } = (cause ?? {}) as NodeJS.ErrnoException;
	const [, words = 'HOST cannot be called: CODE.'] =
		causes.find(([pattern]) => pattern.test(`${code} ${why}`)) ?? [];
	return words.replaceAll('HOST', host).replace('CODE', code);
}
