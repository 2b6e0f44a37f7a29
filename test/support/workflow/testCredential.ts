import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted, INodeCredentialTestResult } from 'n8n-workflow';

import { SmsSend } from '../../../nodes/SmsSend/SmsSend.node';

/** Tests a credential as n8n does. */
export async function testCredential(data: object | undefined): Promise<INodeCredentialTestResult> {
	const { messagingServiceApiTest } = new SmsSend().methods.credentialTest;
	return await messagingServiceApiTest.call(new CredentialTestContext({} as never), {
		id: '1',
		name: 'Test',
		type: 'messagingServiceApi',
		data,
	} as ICredentialsDecrypted);
}
