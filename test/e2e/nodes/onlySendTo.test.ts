import type { IDataObject } from 'n8n-workflow';

import type { NodeUnderTest } from '../../../tools/harness';
import { createCredentials, useService } from '../../support/e2e/useService';
import { callService } from '../../support/e2e/httpRequest';

const listed = '09791234568';
const sendBody = { sendBody: true };
const aForm = 'application/x-www-form-urlencoded';
const raw = (rawContentType: string, body: string) => ({
	...{ ...sendBody, contentType: 'raw', rawContentType, body },
});
const multipart = (...parameters: IDataObject[]) => ({
	...{ ...sendBody, contentType: 'multipart-form-data', bodyParameters: { parameters } },
});
/** The item as a JSON file. */
const toFile: NodeUnderTest = {
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'toJson', mode: 'each', options: {} },
};
const file = { parameterType: 'formBinaryData', inputDataFieldName: 'data' };

describe("a credential with Only Send To in n8n's own HTTP Request node", () => {
	const service = useService();
	const message = { to: '09791234567', message: 'Tea & cake', from: 'MyShop' };
	const request = async (
		path: string,
		parameters: IDataObject,
		more: { before?: NodeUnderTest[]; items?: IDataObject[] } = {},
	) => {
		const { api, sandbox } = service;
		const credentials = await createCredentials(api, sandbox, { onlySendTo: listed });
		return await callService(service, path, parameters, { credentials, ...more });
	};

	test.each<[string, IDataObject]>([
		['a file', { ...sendBody, contentType: 'binaryData', inputDataFieldName: 'data' }],
		['a multipart form with a file', multipart({ name: 'message', ...file })],
		['a multipart form', multipart({ name: 'To', value: '09791234567' })],
		['text of another type', raw('text/plain', JSON.stringify(message))],
		['JSON that is called a form', raw(aForm, `{"to":"${listed}","a":"&to=09791234567"}`)],
		['a form that is called JSON', raw('application/json', `to=${listed}`)],
		['a form with two spellings', raw(aForm, 'To=09791234567')],
		[
			'JSON with two spellings',
			{
				...sendBody,
				specifyBody: 'json',
				jsonBody: JSON.stringify({ ...message, TO: message.to, to: listed }),
			},
		],
	])('signs no request with Only Send To whose body is %s', async (_, parameters) => {
		const { sandbox } = service;
		const withFile = { before: [toFile], items: [message] };
		const run = await request(`/rest/send?to=${listed}`, parameters, withFile);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		expect(run.error?.message).toMatch(/^(Not sent: |To )/);
		expect(run.error?.description).toMatch(/^(Send|Add|Use) .+\.$/);
	});

	test('sends with Only Send To exactly what was checked', async () => {
		const { sandbox } = service;
		const sent = { to: listed, message: 'Hi & to=you', from: 'MyShop' };
		const twice = `{"to":"09791234567",${JSON.stringify(sent).slice(1)}`;
		const toJson = `={{ ({ ...${JSON.stringify(sent)}, toJSON: () => (${JSON.stringify(message)}) }) }}`;
		const fields = Object.entries(sent).map(([name, value]) => ({ name, value }));
		const bodyParameters = { parameters: fields };
		const signed = [
			raw('application/json', twice),
			{ ...sendBody, specifyBody: 'json', jsonBody: twice },
			{ ...sendBody, bodyParameters },
			{ ...sendBody, contentType: 'form-urlencoded', bodyParameters },
		];
		for (const parameters of signed) await request('/rest/send', parameters);
		const form = new URLSearchParams(sent).toString().replaceAll('+', '%20');
		const bodies = sandbox.requests().map(({ body }) => body);
		expect(bodies).toEqual([sent, sent, sent, form]);
		// In n8n 2, an expression cannot return a function.
		const run = await request('/rest/send', {
			...{ ...sendBody, specifyBody: 'json', jsonBody: toJson },
		});
		expect(run.status).toBe('error');
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(signed.length);
	});
});
