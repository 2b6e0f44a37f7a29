import { request as requestByHttp } from 'node:http';
import { request as requestByHttps, type RequestOptions } from 'node:https';

/** A request with any header, the Host included, and nothing that a client library adds. @returns status and body */
export function callRaw(url: string, options: RequestOptions & { body?: string } = {}) {
	const { body, ...others } = options;
	const request = url.startsWith('https') ? requestByHttps : requestByHttp;
	return new Promise<{ status?: number; text: string }>((resolve, reject) => {
		const call = request(url, others, (answer) => {
			answer.toArray().then((chunks) => {
				resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() });
			}, reject);
		});
		call.once('error', reject).end(body);
	});
}
