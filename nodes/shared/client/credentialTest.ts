import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { attempt, type InputError } from '../input/InputError';
import { requireTimeZone } from '../input/time';
import { describeFailure } from './texts';
import {
	endpoints,
	isOpenToReaders,
	isUsableBaseUrl,
	normalizeBaseUrl,
	requireBaseUrl,
	toAddress,
	type Method,
} from './address';
import { isHtml, isRecord, parseJson } from './json';
import { emptyBodyOf, sendByMethod } from './method';
import { isSuccess, toFailure, unwrapResponse, type ServiceResponse } from './response';
import { holdsSecret, listSecrets } from './secrets';
import { readCredentials, toApiToken, type ServiceCredentials } from './token';
import { toNetworkFailure } from './failure';

const timeout = 15_000;

const tested =
	'URL, key and secret work: the balance was read. Nothing was sent, so this does not test the sender ID or whether the balance is enough.';

/** A credential test has only this helper. A declarative test could show only codes such as ECONNREFUSED. */
async function readBalance(
	{ helpers: { request } }: ICredentialTestFunctions,
	credentials: ServiceCredentials,
): Promise<void> {
	const baseUrl = requireBaseUrl(credentials);
	const { getBalance } = endpoints;
	const { authorizationScheme: scheme } = credentials;
	const secrets = listSecrets(credentials);
	const read = async (method: Method): Promise<ServiceResponse> => {
		const { statusCode, body, headers } = (await request({
			method,
			uri: toAddress(baseUrl, getBalance),
			headers: {
				Accept: 'application/json',
				'Content-Type': 'application/json',
				Authorization: `${scheme} ${toApiToken(credentials)}`,
			},
			body: emptyBodyOf(getBalance, method),
			timeout,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
		})) as { statusCode: number; body: unknown; headers?: Record<string, string> };
		return {
			status: statusCode,
			body: typeof body === 'string' ? parseJson(body) : body,
			isPage: typeof body === 'string' && isHtml(body),
			allow: headers?.allow,
			isSecret: (text) => holdsSecret(text, secrets),
		};
	};
	const response = unwrapResponse(await sendByMethod(baseUrl, getBalance, read), getBalance);
	const { body } = response;
	if (!isSuccess(response.status) || !isRecord(body) || !('balance' in body))
		throw toFailure(response);
}

/** Faults that the service itself cannot report. They fail the test, because a passing test cannot show a warning. */
function findFault(credentials: ServiceCredentials): string | undefined {
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	if (isUsableBaseUrl(baseUrl) && isOpenToReaders(baseUrl)) {
		return 'The Base URL starts with http://, so others could read your key, messages and codes. Nothing was sent. Use https://. If a VPN protects the connection, ignore this: the nodes still work.';
	}
	return /[\s\p{Cf}]/u.test(credentials.apiKey)
		? 'API Key has a space or a line end inside it. Nothing was sent. Copy the key from the dashboard again, alone.'
		: undefined;
}

function findFaultOfZone({ serviceTimeZone: zone }: ServiceCredentials): string | undefined {
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
	const fault = findFault(credentials) ?? findFaultOfZone(credentials);
	if (fault) return { status: 'Error', message: fault };
	return await readBalance(this, credentials).then(
		() => ({ status: 'OK', message: tested }),
		(error: unknown) => {
			const { message, description } = describeFailure(toNetworkFailure(error));
			return { status: 'Error', message: `${message}. ${description}` };
		},
	);
}
