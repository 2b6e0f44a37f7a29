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
import { toApiToken, type ServiceCredentials } from '../nodes/shared/client/token';

/** n8n's HTTP Request node hands over its older form of options, in which the address is named `uri`. */
type RequestOptions = IHttpRequestOptions & { uri?: string };

/** The address that will be called: an absolute one leaves the base of the request unused. */
function addressOf({ url, uri, baseURL }: RequestOptions): string {
	const address = String(url ?? uri ?? '');
	const isWhole = !baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(address);
	return isWhole ? address : `${baseURL.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`;
}

/** Another host by the header Host, or a proxy that the request names itself, would get the token as well. */
function findDetour({ headers = {}, proxy }: RequestOptions): string | undefined {
	if (Object.keys(headers).some((name) => name.trim().toLowerCase() === 'host')) {
		return 'a header Host';
	}
	return proxy ? 'a proxy' : undefined;
}

/** n8n would hand the token on to the host that a redirect names; the last two are the older names. */
const withoutRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Whoever may use the credential may not send it elsewhere. */
function requireOwnAddress(options: RequestOptions, baseUrl: string): void {
	if (!isUnderBaseUrl(addressOf(options), baseUrl)) {
		throw new UserError(
			'This credential is for its own service only, and the address of the request is not under its Base URL. Nothing was sent. Use an address that begins with the Base URL of the credential.',
		);
	}
	const detour = findDetour(options);
	if (!detour) return;
	throw new UserError(
		`This credential is for its own service only, and the request names ${detour}. Nothing was sent. Take ${detour} out of the request.`,
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
				'Create the key and the secret in the dashboard of the service under Accounts & Security > API Credentials. Keys of earlier versions do not work. If the account has an IP whitelist, add the address of this n8n to it.',
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
			description:
				'Address of the service, without /rest, /otp or /http at its end. You can paste a longer address: the ending is dropped.',
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
			displayName: 'Authorization Scheme',
			name: 'authorizationScheme',
			type: 'options',
			options: [
				{ name: 'Basic', value: 'Basic' },
				{ name: 'Bearer', value: 'Bearer' },
			],
			default: 'Bearer',
			description:
				'Word in front of the token in the Authorization header. The service takes both; change it only when a proxy in between asks for it.',
		},
		{
			displayName: 'Service Time Zone',
			name: 'serviceTimeZone',
			type: 'string',
			default: 'Asia/Yangon',
			placeholder: 'e.g. Asia/Yangon',
			description:
				'Time zone in which the service reads the times of scheduled messages. Leave it at Asia/Yangon unless the service has told you another one for your account.',
		},
	];

	/**
	 * The REST surface takes the token in the Authorization header, the OTP and query-parameter surfaces take it
	 * as `accessToken` in the query ("Authentication", rules 3 and 4). n8n percent-encodes the query, which
	 * matters: a `+` of the token that arrives as a space is a 401.
	 */
	authenticate: IAuthenticate = async (
		data: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const credentials = data as unknown as ServiceCredentials;
		requireOwnAddress(options, credentials.baseUrl);
		const token = toApiToken(credentials);
		const signed = { ...options, ...withoutRedirects };
		if (surfaceOf(addressOf(options), credentials.baseUrl) !== 'rest') {
			return { ...signed, qs: { ...options.qs, accessToken: token } };
		}
		const scheme = credentials.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer';
		return { ...signed, headers: { ...options.headers, Authorization: `${scheme} ${token}` } };
	};
}
