import {
	UserError,
	type IAuthenticate,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type Icon,
	type INodeProperties,
} from 'n8n-workflow';

import { isUnderBaseUrl, surfaceOf } from '../nodes/shared/client/address';
import { readCredentials, requireOwnRequest, toApiToken } from '../nodes/shared/client/credential';

/** n8n's HTTP Request node passes an older form of options, with the address in `uri`. */
type RequestOptions = IHttpRequestOptions & {
	uri?: string;
	rejectUnauthorized?: boolean;
	agentOptions?: { rejectUnauthorized?: boolean };
};

/** The address that n8n will call. An absolute address overrides `baseURL`. */
function addressOf({ url, uri, baseURL }: RequestOptions): string {
	const address = String(url ?? uri ?? '');
	const isWhole = !baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address);
	return isWhole ? address : `${baseURL.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`;
}

/** A Host header, a proxy or an unchecked certificate could give the token to others. */
function findDetour(options: RequestOptions): string | undefined {
	const { headers = {}, proxy, agentOptions = {} } = options;
	if (Object.keys(headers).some((name) => name.trim().toLowerCase() === 'host')) {
		return 'a header Host';
	}
	if (proxy) return 'a proxy';
	const isUnchecked =
		options.skipSslCertificateValidation ||
		[options.rejectUnauthorized, agentOptions.rejectUnauthorized].some(
			(isChecked) => isChecked !== undefined && !isChecked,
		);
	return isUnchecked ? 'the option Ignore SSL Issues' : undefined;
}

/** n8n would pass the token on to the target of a redirect. The last two are the older names. */
const withoutRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Users of the credential must not be able to send it elsewhere. */
function requireOwnAddress(options: RequestOptions, baseUrl: string): void {
	if (!isUnderBaseUrl(addressOf(options), baseUrl)) {
		throw new UserError(
			'Nothing was sent: this credential is for its own service only, and the URL of the request is not under its Base URL. Use a URL that begins with the Base URL.',
		);
	}
	const detour = findDetour(options);
	if (!detour) return;
	throw new UserError(
		`Nothing was sent: this credential is for its own service only, and the request names ${detour}. Remove ${detour} from the request.`,
	);
}

export class MessagingServiceApi implements ICredentialType {
	name = 'messagingServiceApi';

	displayName = 'SMS and OTP Messaging Service API';

	icon: Icon = {
		light: 'file:../icons/messagingService.svg',
		dark: 'file:../icons/messagingService.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName:
				"Create the key and the secret in your provider's dashboard, under Accounts & Security > API Credentials. If your account uses an IP allowlist, add your n8n instance's public IP address.",
			name: 'whereToFind',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://sms.example.com/api',
			description: 'URL of the service. /rest, /otp or /http at its end is dropped.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		{
			displayName: 'API Secret',
			name: 'apiSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		{
			displayName: 'Sender ID',
			name: 'senderId',
			type: 'string',
			default: '',
			placeholder: 'e.g. MyShop',
			description:
				'Name or number that recipients see, as registered for your account. Nodes use it where their own Sender ID is empty.',
		},
		{
			displayName: 'Brand',
			name: 'brand',
			type: 'string',
			default: '',
			placeholder: 'e.g. MyShop',
			description:
				'Name of your company or app in texts with a code. OTP Request uses it where its own Brand is empty.',
		},
		{
			displayName: 'Only Send To',
			name: 'onlySendTo',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. 09791234567, name@example.com, 9597910*',
			description:
				"Only these recipients get messages or codes: numbers (outside Myanmar with + and country code), email addresses and prefixes such as 9597910*, separated by commas or new lines. Leave empty to allow everybody. If it is set, HTTP Request can't use the credential.",
		},
		{
			displayName: 'Authorization Scheme',
			name: 'authorizationScheme',
			type: 'options',
			options: [
				{ name: 'Basic', value: 'Basic' },
				{ name: 'Bearer', value: 'Bearer' },
			],
			default: 'Bearer',
			description:
				'Word before the token in the Authorization header. Change it only if a proxy between n8n and the service requires it.',
		},
		{
			displayName: 'Service Time Zone',
			name: 'serviceTimeZone',
			type: 'string',
			default: 'Asia/Yangon',
			placeholder: 'e.g. Asia/Yangon',
			description:
				'Time zone of scheduled messages at the service. Change it only if your provider named another one.',
		},
		{
			displayName: 'Flags',
			name: 'flags',
			type: 'options',
			options: [
				{ name: 'Always, as 0 or 1', value: 'numbers' },
				{ name: 'Always, as True or False', value: 'booleans' },
				{ name: 'Only When on, as 1', value: 'whenOn' },
			],
			default: 'whenOn',
			description:
				'How messages carry Test, Unicode and Encrypt. Change it only if the service rejects messages because of one of them.',
		},
	];

	/**
	 * The REST surface expects the token in the Authorization header, the OTP and query-parameter surfaces expect
	 * `accessToken` in the query ("Authentication", rules 3 and 4). n8n must percent-encode the query: a `+` in the
	 * token that arrives as a space is a 401.
	 */
	authenticate: IAuthenticate = async (
		data: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const credentials = readCredentials(data);
		const { baseUrl, authorizationScheme: scheme } = credentials;
		requireOwnAddress(options, baseUrl);
		requireOwnRequest(credentials, options);
		const token = toApiToken(credentials);
		const signed = { ...options, ...withoutRedirects };
		if (surfaceOf(addressOf(options), baseUrl) !== 'rest') {
			return { ...signed, qs: { ...signed.qs, accessToken: token } };
		}
		return { ...signed, headers: { ...signed.headers, Authorization: `${scheme} ${token}` } };
	};
}
