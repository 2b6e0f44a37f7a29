import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { attempt, type InputError } from '../input/InputError';
import { requireTimeZone } from '../input/time';
import { isOpenToReaders, isUsableBaseUrl, normalizeBaseUrl, requireBaseUrl } from './address';
import { readCredentials, toApiToken, type ServiceCredentials } from './credential';
import { endpoints, sendByMethod } from './endpoints';
import { toNetworkFailure } from './failure';
import { isObject } from './json';
import { isSuccess, readResponse, toFailure } from './response';
import { describeFailure } from './texts';
import { toRequest } from './transport';

const tested =
	'URL, key and secret work: the balance was read. Nothing was sent, so this does not test the sender ID or whether the balance is enough.';

/** A credential test has only this helper. A declarative test could show only codes such as ECONNREFUSED. */
async function readBalance(
	{ helpers: { request } }: ICredentialTestFunctions,
	credentials: ServiceCredentials,
): Promise<void> {
	const baseUrl = requireBaseUrl(credentials);
	const endpoint = endpoints.getBalance;
	const authorization = `${credentials.authorizationScheme} ${toApiToken(credentials)}`;
	const response = await sendByMethod(baseUrl, endpoint, async (method) => {
		const { path, headers, ...options } = toRequest({ endpoint }, method);
		const full = (await request({
			...options,
			uri: baseUrl + path,
			headers: { ...headers, Authorization: authorization },
			timeout: 15_000,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
		})) as { statusCode: number; body: unknown; headers?: Record<string, unknown> };
		const text = typeof full.body === 'string' ? full.body : JSON.stringify(full.body);
		const { statusCode: status, headers: given } = full;
		const http = { request: `${method} ${path}`, status, headers: given, text };
		return readResponse(http, endpoint, credentials);
	});
	const { status, body } = response;
	if (!isSuccess(status) || !isObject(body) || !('balance' in body)) throw toFailure(response);
}

/** Faults that the service itself cannot report. They fail the test, because a passing test cannot show a warning. */
function findFault(credentials: ServiceCredentials): string | undefined {
	const { apiKey, serviceTimeZone: zone } = credentials;
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	if (isUsableBaseUrl(baseUrl) && isOpenToReaders(baseUrl)) {
		return 'The Base URL starts with http://, so others could read your key, messages and codes. Nothing was sent. Use https://. If a VPN protects the connection, ignore this: the nodes still work.';
	}
	if (/[\s\p{Cf}]/u.test(apiKey)) {
		return 'API Key has a space or a line end inside it. Nothing was sent. Copy the key from the dashboard again, alone.';
	}
	const read = attempt(() => zone && requireTimeZone(zone, 'serviceTimeZone'));
	if ('value' in read) return undefined;
	const { message, hint } = read.error as InputError;
	return `${message}. ${hint}`;
}

export async function messagingServiceApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const credentials = readCredentials(credential.data);
	const fault = findFault(credentials);
	if (fault) return { status: 'Error', message: fault };
	return await readBalance(this, credentials).then(
		() => ({ status: 'OK', message: tested }),
		(error: unknown) => {
			const { message, description } = describeFailure(toNetworkFailure(error));
			return { status: 'Error', message: `${message}. ${description}` };
		},
	);
}
