import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isTimeZone } from '../validation/timeZone';
import { describeFailure } from './describeFailure';
import {
	isOpenToReaders,
	isUsableBaseUrl,
	normalizeBaseUrl,
	requireBaseUrl,
	toAddress,
} from './address';
import { endpoints } from './endpoints';
import { isRecord, parseAnswer } from './json';
import { isSuccess, toFailure } from './answer';
import { hideSecrets, secretsOf } from './secrets';
import { toApiToken, type ServiceCredentials } from './token';
import { toNetworkFailure } from './networkFailure';

const timeout = 15_000;

/**
 * Reads the balance with a credential that may not be saved yet. n8n gives a credential test no other helper than
 * this one; a test described as data could only show codes such as ECONNREFUSED.
 */
async function readBalance(
	{ helpers: { request } }: ICredentialTestFunctions,
	credentials: ServiceCredentials,
): Promise<void> {
	const baseUrl = requireBaseUrl(credentials);
	const { getBalance } = endpoints;
	const scheme = credentials.authorizationScheme === 'Basic' ? 'Basic' : 'Bearer';
	const response = (await request({
		method: getBalance.method,
		uri: toAddress(baseUrl, getBalance),
		headers: {
			Accept: 'application/json',
			'Content-Type': 'application/json',
			Authorization: `${scheme} ${toApiToken(credentials)}`,
		},
		timeout,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		followAllRedirects: false,
	})) as { statusCode: number; body: unknown };

	const { statusCode: status, body } = response;
	const parsed = typeof body === 'string' ? parseAnswer(body) : body;
	const hide = (text: string) => hideSecrets(text, secretsOf(credentials));
	if (!isSuccess(status) || !isRecord(parsed) || !('balance' in parsed)) {
		throw toFailure({ status, body: parsed, hide });
	}
}

/**
 * What is wrong with a credential that the service itself could not tell. A test that passes has no room for a
 * warning: the editor then shows its own words.
 */
function findFault(credentials: ServiceCredentials): string | undefined {
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	if (isUsableBaseUrl(baseUrl) && isOpenToReaders(baseUrl)) {
		return 'The Base URL begins with http:// and leads out of your own network. Everybody on the way could read the key, the secret, numbers, texts and codes, so nothing was sent to test it. Use https://. The nodes do work with this address: where the way is protected otherwise, such as by a VPN, you can keep it.';
	}
	const timeZone = credentials.serviceTimeZone?.trim();
	if (timeZone && !isTimeZone(timeZone)) {
		return `Service Time Zone is not a known time zone: "${timeZone}". Use a name such as Asia/Yangon, Asia/Singapore or UTC.`;
	}
	return undefined;
}

/** The test behind the button in the credential's window: says plainly what is wrong. */
export async function messagingServiceApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const credentials = (credential.data ?? {}) as unknown as ServiceCredentials;
	const fault = findFault(credentials);
	if (fault) return { status: 'Error', message: fault };
	return await readBalance(this, credentials).then(
		() => ({ status: 'OK', message: 'The service accepted the credential' }),
		(error: unknown) => {
			const { message, description } = describeFailure(toNetworkFailure(error));
			return { status: 'Error', message: `${message}. ${description}` };
		},
	);
}
