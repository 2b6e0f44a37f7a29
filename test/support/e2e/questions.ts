import { httpClient, type AxiosResponse } from '../../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { NodeUnderTest } from '../../../tools/harness';
import type { Credentials } from './useService';

/** The node that asks, with a question that needs no more than this. */
export function askNode(
	credentials: Credentials,
	parameters: IDataObject = {},
	settings: Partial<NodeUnderTest> = {},
): NodeUnderTest {
	return {
		name: 'Ask',
		type: 'smsSendAndWaitForResponse',
		credentials: { ...credentials },
		parameters: {
			to: '09791234567',
			message: 'Refund 45,000 MMK to order 1234?',
			from: 'MyShop',
			options: {},
			...parameters,
		} as NodeUnderTest['parameters'],
		...settings,
	};
}

/** The link in the n-th SMS. */
export function linkIn(sandbox: Sandbox, message = -1): string {
	const text = String(sandbox.messages().at(message)?.message);
	return String(/https?:\/\/\S+$/.exec(text)?.[0]);
}

const plainly = { validateStatus: () => true, responseType: 'text' as const };

export async function open(link: string, method = 'GET'): Promise<AxiosResponse<string>> {
	return await httpClient.request<string>({ ...plainly, url: link, method });
}

/** What a person reads on a page: its markup and styles would fill the message of a failed test. */
export function textOf({ data }: AxiosResponse<string>): string {
	const text = data.replace(/<(style|title)>[^]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ');
	return text.replace(/\s+/g, ' ').trim();
}

/** What a browser posts when a button is pressed. */
export async function press(
	link: string,
	fields: Record<string, string> | string,
): Promise<AxiosResponse<string>> {
	return await httpClient.post<string>(link, new URLSearchParams(fields), plainly);
}
