import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { surfaceOf } from '../nodes/shared/client/address';
import { toApiToken, type ServiceCredentials } from '../nodes/shared/client/token';

/** n8n's HTTP Request node hands over its older form of options, in which the address is named `uri`. */
function addressOf(options: IHttpRequestOptions & { uri?: string }): string {
	const address = String(options.url ?? options.uri ?? '');
	return options.baseURL
		? `${options.baseURL.replace(/\/+$/, '')}/${address.replace(/^\/+/, '')}`
		: address;
}

export class MessagingServiceApi implements ICredentialType {
	name = 'messagingServiceApi';

	displayName = 'Messaging Service API';

	icon: Icon = {
		light: 'file:../icons/messagingService.svg',
		dark: 'file:../icons/messagingService.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service#credential';

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
		const token = toApiToken(credentials);
		if (surfaceOf(addressOf(options), credentials.baseUrl) !== 'rest') {
			return { ...options, qs: { ...options.qs, accessToken: token } };
		}
		const scheme = credentials.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer';
		return { ...options, headers: { ...options.headers, Authorization: `${scheme} ${token}` } };
	};
}
